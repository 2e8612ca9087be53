// A systemd user unit for `serve`: systemd.service(5), systemd.exec(5).

export interface ServiceFacts {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The search path of the person who installs it. */
  readonly path: string;
}

/** By which we know a unit of ours. */
export const UNIT_MARK = '# written by shellkeep install service';

/**
 * The unit. What would show in the user's shells is left out on purpose: NoNewPrivileges (no sudo), PrivateTmp and ProtectSystem/ProtectHome (other
 * files than in a terminal), RestrictRealtime and LimitRTTIME (how the server knows what it started), SystemCallFilter and MemoryDenyWriteExecute
 * (debuggers, JIT compilers), TasksMax and MemoryMax (builds).
 */
export function systemdUnit({ command, path }: ServiceFacts): string {
  return `${UNIT_MARK}
[Unit]
Description=shellkeep: real shells that stay alive, for agents
Documentation=https://modelcontextprotocol.io

[Service]
Type=exec
ExecStart=${command.map(word).join(' ')}
# as in the terminal where this was installed: a user manager's own search path is short, and runs read no rc files
Environment=${word(`PATH=${path}`)}
# bad settings, or another server that serves already: trying again would not help
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
# the server ends what it has started itself, within two seconds; systemd ends what is left
KillMode=mixed
TimeoutStopSec=10
# a build that runs out of memory must not take all sessions with it
OOMPolicy=continue
# each session and each client takes descriptors
LimitNOFILE=65536
UMask=0077
# hardening that no shell can notice: the server's own keys and logs are nobody else's, and it stays an ordinary process
KeyringMode=private
LockPersonality=yes

[Install]
WantedBy=default.target
`;
}

/** A word of a command line or an assignment: quotes and escapes of systemd.syntax(7), "%" of systemd.unit(5), "$" of systemd.service(5). */
function word(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$').replaceAll('\n', '\\n');
  return /[\s"'\\;]/.test(text) || text === '' ? `"${escaped}"` : escaped;
}
