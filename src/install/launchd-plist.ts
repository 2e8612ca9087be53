// A launch agent for `serve` on macOS: launchd.plist(5).
import type { ServiceFacts } from './systemd-unit.ts';

export const LABEL = 'io.github.shellkeep';

export interface AgentFacts extends ServiceFacts {
  /** Where standard error goes. */
  readonly logPath: string;
}

/** The property list. It starts with the login, and again when it fails. */
export function launchdPlist({ command, path, logPath }: AgentFacts): string {
  const text = (value: string): string => `<string>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${text(LABEL)}
  <key>ProgramArguments</key>
  <array>
${command.map((part) => `    ${text(part)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    ${text(path)}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>StandardErrorPath</key>
  ${text(logPath)}
</dict>
</plist>
`;
}
