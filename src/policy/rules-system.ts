// Rules about processes, services, rights and packages.
import type { SimpleCommand } from '../syntax/command.ts';
import { hasOption, optionValues, parseArguments } from '../syntax/options.ts';
import { PRIVILEGING } from './rule.ts';
import type { Rule } from './rule.ts';

const SYSTEM_MANAGERS = ['apt', 'apt-get', 'aptitude', 'dnf', 'yum', 'zypper', 'apk', 'pacman', 'yay', 'paru', 'snap', 'flatpak', 'brew', 'port', 'dpkg', 'rpm', 'emerge', 'xbps-install', 'nix-env', 'choco', 'winget', 'scoop', 'pkg', 'gem', 'microdnf', 'nala', 'dnf5', 'xbps-remove', 'opkg', 'pkg_add', 'pkg_delete', 'pkgin', 'eopkg', 'rpm-ostree', 'nix', 'guix', 'cpan', 'cpanm', 'luarocks', 'tlmgr', 'add-apt-repository', 'apt-key', 'do-release-upgrade', 'unattended-upgrade', 'gdebi', 'corepack'];

export const SYSTEM_RULES: readonly Rule[] = [
  {
    id: 'fork-bomb', class: 'reject', isGrave: true, reason: 'a function or program that multiplies itself until the machine stops', facts: ['fork-bomb'],
    examples: [':(){ :|:& };:', 'f(){ f|f& };f', '.(){ .|.& };.', 'bomb() { bomb & bomb; }; bomb', "perl -e 'fork while fork'", 'a(){ b|b; }; b(){ a & }; a'],
    notExamples: ['f() { f; }', 'f(){ echo a|cat & }; f', 'walk() { for d in */; do (cd $d && walk); done; }', 'retry() { sleep 1; retry; }', 'log() { echo x | tee log; }'],
  },
  {
    id: 'kill-all', class: 'reject', isGrave: true, reason: 'signals every process of the user, this server among them: name the process',
    programs: ['kill', 'killall5'], match: (command) => command.program === 'killall5' || pidsOf(command).includes('-1') && !isProbe(command),
    examples: ['kill -9 -1', 'kill -KILL -- -1', 'kill -s TERM -1', 'kill -- -1', 'killall5 -9'],
    notExamples: ['kill -1 1234', 'kill -TERM %1', 'kill -l 9', 'kill 1234', 'kill -0 1234'],
  },
  {
    id: 'kill-hard', class: 'dangerous', reason: 'SIGKILL and SIGSTOP leave a program no chance: try TERM first',
    programs: ['kill', 'pkill', 'killall', 'skill', 'xkill', 'fuser'], match: (command) => isHardKill(command),
    examples: ['kill -9 123', 'kill -s KILL 1', 'kill -SIGKILL %1', 'pkill -KILL node', 'killall -9 node', 'kill -n 9 1', 'kill -STOP 5', 'kill -kill 5', 'kill -TERM $PPID', 'fuser -k 80/tcp'],
    notExamples: ['kill -TERM %1', 'kill 123', 'pkill node', 'kill -l 9', 'killall -HUP nginx', 'kill -s HUP 9', 'fuser 80/tcp'],
  },
  {
    id: 'kill-many', class: 'dangerous', reason: 'signals everything that a user runs, this server among it: name the program',
    programs: ['pkill', 'killall', 'skill'], match: (command) => killsMany(command),
    examples: ['pkill -u u', 'pkill -f .', 'pkill .', 'killall -u u', 'pkill -U 1000 -TERM', 'pkill -t pts/1', 'pkill -v nothing'],
    notExamples: ['pkill node', 'pkill -u u node', 'pkill -f vite', 'killall -u u node', 'pkill --help', 'killall -l', 'pkill -P 123'],
  },
  {
    id: 'service', class: 'dangerous', reason: 'stops a service of the system, or the system itself',
    programs: ['systemctl', 'service', 'launchctl', 'rc-service', 'initctl', 'sc', 'rc-update', 'update-rc.d', 'chkconfig', 'loginctl'], match: (command) => stopsService(command),
    examples: ['systemctl stop nginx', 'systemctl --now disable x', 'systemctl --user mask x', 'service nginx stop', 'launchctl unload x', 'systemctl reboot', 'systemctl start poweroff.target'],
    notExamples: ['systemctl status nginx', 'systemctl list-units', 'systemctl cat stop.service', 'service nginx status', 'systemctl is-active x', 'systemctl restart nginx.service'],
  },
  {
    id: 'power', class: 'dangerous', reason: 'ends or restarts the machine',
    programs: ['shutdown', 'reboot', 'halt', 'poweroff', 'init', 'telinit', 'kexec', 'dbus-send', 'busctl', 'gdbus', 'qdbus'], match: (command) => endsMachine(command),
    examples: ['shutdown -h now', 'reboot', 'poweroff -f', 'init 0', 'halt', 'busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager PowerOff b false'],
    notExamples: ['echo reboot', 'man shutdown', 'shutdown -c', 'last reboot', 'npm init', 'busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager ListSessions'],
  },
  {
    id: 'privileges', class: 'dangerous', reason: 'runs with the rights of another user: do without, or ask the person',
    programs: [...PRIVILEGING, 'sg', 'newgrp', 'machinectl', 'nsenter'], match: ({ program, args }) => !(args.length === 1 && /^(?:-V|--version|-h|--help)$/.test(args[0] ?? '')) && program !== '',
    examples: ['sudo ls', 'doas ls', 'su - root', 'env sudo id', '"sudo" id', 'pkexec ls', '/usr/bin/sudo -n true', 'sudo-rs ls', 'newgrp docker', 'nsenter -t 1 -a sh'],
    notExamples: ['python3 -m pytest -k "sudo"', 'function sudo_check { id -u; }; sudo_check', 'man sudo', './scripts/sudo-free.sh', 'echo sudo ls'],
  },
  {
    id: 'administration', class: 'dangerous', reason: 'changes users, the firewall or the kernel of this machine',
    programs: ['useradd', 'userdel', 'usermod', 'adduser', 'deluser', 'groupadd', 'groupdel', 'groupmod', 'gpasswd', 'passwd', 'chpasswd', 'chsh', 'visudo', 'vipw', 'iptables', 'ip6tables', 'nft', 'ufw', 'firewall-cmd', 'modprobe', 'insmod', 'rmmod', 'sysctl', 'setenforce', 'nvram', 'csrutil', 'efibootmgr', 'grub-install', 'update-grub', 'iptables-restore', 'ip6tables-restore', 'iptables-legacy', 'iptables-nft', 'pfctl', 'chage', 'newusers', 'vigr'],
    match: (command) => administrates(command),
    examples: ['iptables -F', 'iptables-restore < x', 'chpasswd <<< u:p', 'userdel bob', 'usermod -aG wheel u', 'passwd', 'modprobe x', 'sysctl -w a=1', 'ufw disable', 'nft flush ruleset'],
    notExamples: ['iptables -L -n', 'sysctl -a', 'sysctl kernel.hostname', 'ufw status', 'nft list ruleset', 'man useradd', 'modprobe --version'],
  },
  {
    id: 'schedule', class: 'dangerous', reason: 'changes what the machine runs later, or removes it',
    programs: ['crontab', 'at', 'batch', 'atrm', 'schtasks', 'schtasks.exe', 'systemd-run'], match: ({ program, args }) => (program === 'systemd-run' ? args.some((arg) => /^--(?:on-|timer|path-|socket-)/.test(arg)) : program === 'crontab' ? !args.includes('-l') : !args.some((arg) => arg === '-l' || arg === '-V' || arg === '/query')),
    examples: ['crontab -r', 'crontab jobs.txt', 'echo "* * * * * x" | crontab -', 'echo ls | at now', 'atrm 3', 'echo x | crontab', 'systemd-run --on-active=5 id'],
    notExamples: ['crontab -l', 'at -l', 'echo crontab -r', 'man crontab', 'cat crontab', 'systemd-run --user ls'],
  },
  {
    id: 'packages', class: 'dangerous', reason: 'installs, upgrades or removes packages of the whole system',
    programs: SYSTEM_MANAGERS, match: (command) => changesPackages(command),
    examples: ['apt install vim', 'apt-get -y remove vim', 'apt-get -o A=b purge x', 'brew install x', 'dnf -y install x', 'pacman -S x', 'apk add x', 'dpkg -i x.deb', 'gem install x', 'cpanm X', 'nix profile install x', 'add-apt-repository ppa:x', 'pkg delete x', 'yum -y update'],
    notExamples: ['apt list --installed', 'apt search install', 'apt-get -s install vim', 'apt-get update', 'brew list', 'dpkg -l', 'pacman -Q', 'nix build', 'gem list', 'luarocks list', 'apt-key list'],
  },
  {
    id: 'python-packages', class: 'dangerous', reason: 'installs or removes packages of Python, whose setup code runs at once',
    programs: ['pip', 'pipx', 'python', 'pypy', 'uv', 'easy_install', 'conda', 'mamba', 'micromamba'], match: (command) => changesPython(command),
    examples: ['pip install x', 'pip3 uninstall -y x', 'python3 -m pip install x', 'pip --quiet install -r requirements.txt', 'uv pip install x', 'pipx install x', 'python3 -Impip install x', 'python3 setup.py install', 'uv tool install x'],
    notExamples: ['pip list', 'pip show install', 'pip freeze', 'python3 -m pytest', 'pip --version', 'pip install --dry-run x', 'python3 setup.py test', 'uv tool list'],
  },
  {
    id: 'global-node-packages', class: 'dangerous', reason: 'changes packages for the whole machine: install them in the project',
    programs: ['npm', 'pnpm', 'yarn', 'bun', 'cnpm'], match: (command) => changesGlobalNode(command),
    examples: ['npm i -g x', 'npm install --global x', 'npm -g uninstall x', 'npm rm x --location=global', 'yarn global add x', 'pnpm add -g x'],
    notExamples: ['npm ci && npm test', 'npm install x', 'npm uninstall x', 'npm list -g', 'npm run build', 'yarn add global'],
  },
  {
    id: 'windows-shell', class: 'dangerous', reason: 'a command of Windows, which is not read here',
    programs: ['cmd.exe', 'cmd', 'powershell.exe', 'powershell', 'pwsh', 'pwsh.exe', 'wmic.exe', 'reg.exe', 'diskpart.exe', 'format.com', 'wsl.exe', 'wsl', 'taskkill.exe'], match: ({ args }) => args.length > 0 && !args.some((arg) => /^(?:--version|-v(?:ersion)?|--help)$/i.test(arg)),
    examples: ['cmd.exe /c "rd /s /q C:\\\\x"', 'powershell -Command "Remove-Item x"', 'pwsh -c ls', 'cmd /c del x', '/mnt/c/Windows/System32/cmd.exe /c dir', 'reg.exe delete x'],
    notExamples: ['echo cmd.exe /c x', 'ls cmd.exe', 'pwsh --version', 'file powershell.exe', 'grep cmd x'],
  },
];

function administrates({ program, args }: SimpleCommand): boolean {
  if (args.some((arg) => /^(?:--help|--version|-V|-h)$/.test(arg))) return false;
  if (program === 'passwd') return !args.some((arg) => /^(?:-S|--status)$/.test(arg));
  if (program === 'sysctl') return args.some((arg) => /^-(?:w|p)|^--(?:write|load|system)|=/.test(arg));
  const asks = /^(?:-[a-zA-Z]*[LS]|-s|-l|--list.*|--state|--get-.*|list|status|show|-c|-v)$/;
  if (/-restore$|^(?:chpasswd|newusers|vigr)$/.test(program)) return true;
  if (['iptables', 'ip6tables', 'iptables-legacy', 'iptables-nft', 'pfctl', 'chage', 'nft', 'ufw', 'firewall-cmd', 'csrutil', 'efibootmgr', 'visudo', 'nvram'].includes(program)) return !args.some((arg) => asks.test(arg)) && (args.length > 0 || program === 'visudo');
  return args.length > 0;
}

/** The operands of kill: the first option is the signal, `-1` after it is a process group. */
function pidsOf({ args }: SimpleCommand): readonly string[] {
  let rest = args;
  if (/^-(?:s|n|-signal)$/.test(rest[0] ?? '')) rest = rest.slice(2);
  else if (/^-(?:-signal=|[sn]?[A-Z\d])/.test(rest[0] ?? '')) rest = rest.slice(1);
  return rest.filter((arg) => arg !== '--').map((arg) => (/^-0*1$/.test(arg) ? '-1' : arg));
}

function isProbe({ args }: SimpleCommand): boolean {
  return args[0] === '-0' || args[0] === '-l' || args[0] === '-L' || (args[0] === '-s' && args[1] === '0');
}

function isHardKill(command: SimpleCommand): boolean {
  const { program, args, text } = command;
  if (args.some((arg) => /^-(?:l|L|-list|-table)$/.test(arg))) return false;
  if (program === 'fuser') return args.some((arg) => /^-[a-z]*k|^--kill/.test(arg));
  if (program === 'kill' && text.includes('PPID') && !isProbe(command)) return true;
  const given = args.flatMap((arg, index) => (/^-(?:s|n|-signal)$/.test(arg) ? [args[index + 1] ?? ''] : /^(?:--signal=|-s(?=[A-Z])|-n(?=\d)|-(?=[A-Z\d]|kill$|stop$|sig))/.test(arg) ? [arg.replace(/^(?:--signal=|-[sn](?=[A-Z\d])|-)/, '')] : []));
  return given.some((signal) => /^(?:SIG)?(?:KILL|STOP)$|^0*(?:9|19)$|[\uFDD0-\uFDD4]/i.test(signal));
}

/** A pattern that any program matches, or none. */
function killsMany({ program, args }: SimpleCommand): boolean {
  if (args.length === 0 || args.some((arg) => /^(?:-l|-V|-h|--(?:help|version|list))$/.test(arg))) return false;
  if (program !== 'killall' && args.some((arg) => /^-[a-z]*v$|^--inverse$/.test(arg))) return true;
  const parsed = parseArguments(args, { values: program === 'killall' ? 'souyZn' : 'uUGgPstF', longValues: ['euid', 'uid', 'group', 'pgroup', 'parent', 'session', 'terminal', 'user', 'signal', 'ns', 'nslist', 'pidfile'] });
  if (parsed.operands.some((pattern) => /^\^?\.?[*+]?\$?$/.test(pattern))) return true;
  return parsed.operands.length === 0 && hasOption(parsed, 'uUtG', 'euid', 'uid', 'user', 'terminal', 'group');
}

function endsMachine({ program, args }: SimpleCommand): boolean {
  if (program === 'init' || program === 'telinit') return /^[0-6sS]$/.test(args[0] ?? '');
  if (program.includes('bus')) return args.some((arg) => /(?:^|\.)(?:PowerOff|Reboot|Halt|KExec|SoftReboot|Suspend|Hibernate|HybridSleep|Exit|TerminateUser|KillUser|StopUnit|KillUnit)(?:WithFlags)?$/.test(arg));
  return !args.some((arg) => arg === '--help' || arg === '-c');
}

/** Units that are started to end everything else. */
const ENDING_UNIT = /^(?:poweroff|reboot|soft-reboot|halt|kexec|rescue|emergency|exit|shutdown|suspend|hibernate|hybrid-sleep|ctrl-alt-del|systemd-(?:poweroff|reboot|halt|kexec|suspend|hibernate))\.(?:target|service)$/;

function stopsService({ program, args }: SimpleCommand): boolean {
  const words = args.filter((arg) => !arg.startsWith('-'));
  if (program === 'service' || program === 'rc-service') return /^(?:stop|force-stop)$/.test(words[1] ?? '');
  if (program === 'update-rc.d' || program === 'chkconfig') return /^(?:remove|disable|off)$/.test(words[1] ?? '') || args.includes('--del');
  if (program === 'systemctl' && /start$|^reload-or-/.test(words[0] ?? '') && words.some((word) => ENDING_UNIT.test(word))) return true;
  return /^(?:stop|disable|mask|kill|isolate|halt|poweroff|reboot|kexec|rescue|emergency|suspend|hibernate|hybrid-sleep|exit|set-environment|import-environment|link|unload|bootout|remove|delete|terminate-\w+|kill-\w+|set-default|revert)$/.test(words[0] ?? '');
}

const PACKAGE_CHANGES = /^(?:install|reinstall|remove|purge|autoremove|autopurge|upgrade|full-upgrade|dist-upgrade|dselect-upgrade|uninstall|erase|add|del|delete|in|rm|localinstall|groupinstall|build-dep|tap|unlink|refresh)$/;

/** To the others `update` means their lists. */
const UPDATES_ALL = /^(?:yum|dnf5?|microdnf|zypper|gem|flatpak|tlmgr)$/;

function changesPackages({ program, args }: SimpleCommand): boolean {
  if (args.some((arg) => /^(?:-s|--simulate|--dry-run|--just-print|--no-act|--recon|--help|--version|--download-only)$/.test(arg))) return false;
  if (program === 'pacman' || program === 'yay' || program === 'paru') return args.some((arg) => /^-(?:S(?!s|i|l|g|p|h)|R|U)|^--(?:sync|remove|upgrade)$/.test(arg));
  if (program === 'dpkg' || program === 'rpm') return args.some((arg) => /^(?:-[iPrUFe]\w*|--(?:install|purge|remove|upgrade|erase|unpack|configure))$/.test(arg));
  if (/^(?:cpan|cpanm|add-apt-repository|do-release-upgrade|unattended-upgrade|gdebi|pkg_add|pkg_delete|xbps-\w+|apt-key)$/.test(program)) return args.length > 0 ? !args.some((arg) => /^(?:-[lDO]|list|finger\w*|export\w*|-h)$/.test(arg)) : program.startsWith('do-') || program.startsWith('un');
  if (program === 'nix') return args[0] === 'profile' ? /^(?:install|add|remove|upgrade)$/.test(args[1] ?? '') : false;
  if (program === 'corepack') return /^(?:enable|disable|prepare|install|use)$/.test(args[0] ?? '');
  if (program === 'emerge') return args.length > 0 && !args.some((arg) => /^(?:-[ps]|--pretend|--search|--info)/.test(arg));
  if (program === 'nix-env') return args.some((arg) => /^(?:-[ieu]|--install|--uninstall|--upgrade)/.test(arg));
  if (program === 'xbps-install') return args.length > 0;
  const { operands } = parseArguments(args, { values: 'octR', longValues: ['option', 'config-file', 'target-release', 'default-release', 'repo', 'setopt', 'root'] });
  return PACKAGE_CHANGES.test(operands[0] ?? '') || (UPDATES_ALL.test(program) && /^(?:update|up|dup)$/.test(operands[0] ?? ''));
}

function changesPython({ program, args }: SimpleCommand): boolean {
  const isPip = /^pip[\d.]*$/.test(program);
  const module = /^(?:python|pypy)[\d.]*$/.test(program) ? moduleOf(args) : undefined;
  const rest = isPip || program === 'pipx' ? args : module?.[0] === 'pip' ? module.slice(1) : module?.[0] === 'easy_install' ? ['install'] : isSetup(program, args) ? args.slice(1) : program === 'uv' && args[0] === 'tool' ? args.slice(1) : program === 'uv' && args[0] === 'pip' ? args.slice(1) : program === 'easy_install' ? ['install', ...args] : program === 'conda' || program === 'mamba' || program === 'micromamba' ? args : undefined;
  if (rest === undefined || rest.includes('--dry-run') || rest.includes('--help')) return false;
  const { operands } = parseArguments(rest, { longValues: ['python', 'proxy', 'retries', 'timeout', 'log', 'cert', 'cache-dir', 'index-url'], values: 'rcine' });
  return /^(?:install|uninstall|upgrade|upgrade-all|inject|remove|sync|develop)$/.test(operands[0] ?? '');
}

/** The module that `-m` names, also at the end of other letters or in the same word, and what follows it. */
function moduleOf(args: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((arg) => /^-[a-zA-Z]*m/.test(arg));
  if (at < 0 || args.slice(0, at).some((arg) => !arg.startsWith('-'))) return undefined;
  const own = (args[at] ?? '').replace(/^-[a-zA-Z]*?m/, '');
  return own === '' ? args.slice(at + 1) : [own, ...args.slice(at + 1)];
}

function isSetup(program: string, args: readonly string[]): boolean {
  return /^python/.test(program) && /(?:^|\/)setup\.py$/.test(args[0] ?? '');
}

function changesGlobalNode({ program, args }: SimpleCommand): boolean {
  const parsed = parseArguments(args, { longValues: ['location', 'prefix', 'registry', 'loglevel'] });
  const isGlobal = hasOption(parsed, 'g') || parsed.options.some(({ name, value }) => name === 'global' && value !== 'false') || optionValues(parsed, '', 'location').includes('global') || (program === 'yarn' && parsed.operands[0] === 'global');
  const verb = program === 'yarn' && parsed.operands[0] === 'global' ? parsed.operands[1] : parsed.operands[0];
  return isGlobal && /^(?:i|in|ins|inst|insta|instal|install|isnt\w*|add|a|ci|un|uninstall|unlink|remove|rm|r|up|update|upgrade|link|ln)$/.test(verb ?? '');
}
