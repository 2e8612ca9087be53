// Rules about what is written to: disks, the system, files that run later, and the server's own.
import type { SimpleCommand } from '../syntax/command.ts';
import { hasUnknown } from '../syntax/marks.ts';
import type { Rule } from './rule.ts';
import { copiesBlocks, isFormatter, writtenBy } from './writes.ts';

export const WRITE_RULES: readonly Rule[] = [
  {
    id: 'write-device', class: 'reject', isGrave: true, reason: 'would overwrite a disk or the memory of the kernel: write to a file instead',
    writes: 'device',
    examples: ['dd if=/dev/zero of=/dev/sda', 'echo x > /dev/nvme0n1', 'echo x | tee /dev/sda', 'cp disk.img /dev/sdb', 'mkfs.ext4 /dev/sda1', 'wipefs -a /dev/sdb', 'cat x >| /dev/vda', 'mv x /dev/hda', 'tar -c -f /dev/sda x', 'qemu-img convert x.qcow2 /dev/sda', 'mkntfs /dev/sda1', 'openssl enc -in x -out /dev/sda'],
    notExamples: ['dd if=/dev/zero of=./disk.img bs=1M count=10', 'mkfs.ext4 ./disk.img', 'fdisk -l /dev/sda', 'stat /dev/sda', 'ls 2>/dev/null >&2', 'cat /dev/urandom | head', 'echo x | tee /dev/stdout'],
  },
  {
    id: 'format-unknown', class: 'dangerous', isGrave: true, reason: 'formats or wipes a device that is only known when it runs: name it',
    isAbout: (program) => isFormatter(program) || copiesBlocks(program), match: (command) => !command.contained && writtenBy(command).some((path) => (copiesBlocks(command.program) ? hasUnknown(path.slice(0, 1)) : hasUnknown(path))),
    examples: ['mkfs.ext4 "$DEV"', 'mkfs -t ext4 "$1"', 'mkfs.xfs -f $x', 'mkswap "$P"', 'wipefs -a "$1"', 'blkdiscard "$(cat disk)"', 'dd if=x.iso of="$1"', 'dd if=/dev/zero of=$DEV bs=1M'],
    notExamples: ['mkfs.ext4 ./disk.img', 'i=disk.img; mkfs.ext4 "$i"', 'wipefs "$1"', 'sfdisk -l "$1"', 'mkfs.ext4 -L data /tmp/disk.img', 'dd if="$1" of=copy.img', 'f=$(mktemp); dd if=/dev/zero of="$f" count=1', 'dd if=/dev/zero of="/tmp/$name" count=1'],
  },
  {
    id: 'write-sysrq', class: 'reject', isGrave: true, reason: 'would make the kernel crash or restart the machine',
    writes: 'sysrq',
    examples: ['echo c > /proc/sysrq-trigger', 'echo b | tee /proc/sysrq-trigger', 'echo 1 > /proc/sys/kernel/sysrq', 'printf o >> /proc/sysrq-trigger', 'cp x /proc/sysrq-trigger'],
    notExamples: ['cat /proc/sys/kernel/sysrq', 'cat /proc/meminfo', 'ls /proc', 'echo x > sysrq-trigger', 'grep x /proc/cpuinfo'],
  },
  {
    id: 'write-system', class: 'dangerous', reason: 'writes to, or removes, files of the system',
    writes: 'system',
    examples: ['echo x > /etc/hosts', 'cp x /etc/cron.d/x', 'sed -i s/a/b/ /etc/fstab', 'rm /etc/passwd', 'echo x | tee -a /etc/sudoers', 'ln -sf x /usr/bin/python', 'tar xf a.tgz -C /usr', 'cd / && tar xf /tmp/x.tar', 'wget -P /etc u', 'find /etc -type f -exec sed -i s/a/b/ {} +', "sed -n 'w /etc/x' f", 'gzip /etc/hosts', "python3 -c \"open('/etc/passwd','w')\""],
    notExamples: ['cat /etc/hosts', 'cp /etc/hosts ./hosts', 'echo x > /tmp/etc', 'grep root /etc/passwd', 'sed s/a/b/ /etc/fstab', 'tar czf etc.tgz /etc', 'tar xf x.tar', 'gzip -c /etc/hosts > x.gz', 'find /etc -exec cp {} /tmp/b \\;', '(echo > /dev/tcp/localhost/80) && echo up'],
  },
  {
    id: 'write-startup', class: 'dangerous', reason: 'writes a file that a shell, git, ssh or an agent runs or believes later',
    writes: 'startup',
    examples: ['echo x >> ~/.bashrc', 'cp k ~/.ssh/authorized_keys', 'echo x > .git/hooks/pre-commit', 'tee .mcp.json < x', 'sed -i s/a/b/ ~/.zshrc', 'mv x .vscode/tasks.json', 'rm ~/.profile', 'dd if=x of=~/.bashrc', 'echo x > ~/.gdbinit', 'echo x > ~/.bas?rc', 'git clone u ~/.config/nvim', 'cp x .git/modules/a/hooks/post-checkout', 'curl --output-dir ~/.ssh -O u', 'awk -v f=.envrc \'{print > f}\' x'],
    notExamples: ['cat ~/.bashrc', 'ls -la ~/.ssh', 'cat .git/config', 'grep alias ~/.zshrc', 'cp ~/.bashrc ./backup', 'git clone u ~/src/vim', 'echo x > ~/notes.txt', 'wget -P ~/Downloads u'],
  },
  {
    id: 'write-own', class: 'reject', reason: "changes this server's own settings, log or project file: only a person may",
    writes: 'own',
    examples: ['echo x > .shellkeep.toml', 'cp x ~/.config/shellkeep/config.toml', 'rm .bash-mcp.toml', 'sed -i s/a/b/ .shellkeep.toml', 'tee ~/.local/state/shellkeep/audit.jsonl'],
    notExamples: ['cat .shellkeep.toml', 'ls ~/.config/shellkeep', 'echo shellkeep > notes', 'shellkeep status', 'grep x .bash-mcp.toml'],
  },
  {
    id: 'trust', class: 'dangerous', isGrave: true, reason: 'lets a project file widen where commands may start, or takes that back: a person decides that, at their own terminal',
    programs: ['shellkeep', 'node', 'bun', 'deno'], match: (command) => changesTrust(command),
    examples: ['shellkeep trust .shellkeep.toml', 'shellkeep untrust x', 'npx shellkeep trust x', 'node /opt/shellkeep/dist/cli.js trust x', '/usr/local/bin/shellkeep trust "$f"', 'npx -y shellkeep@latest trust x', 'env A=b shellkeep untrust ./x'],
    notExamples: ['shellkeep trust', 'shellkeep status', "shellkeep classify 'ls'", 'echo shellkeep trust x', 'shellkeep help trust', 'man shellkeep'],
  },
  {
    id: 'own-command', class: 'dangerous', isGrave: true, reason: 'makes tokens of this server, tells clients of it, or ends it with all sessions: a person decides that, at their own terminal',
    programs: ['shellkeep', 'node', 'bun', 'deno'], match: (command) => changesServer(command),
    examples: ['shellkeep token add x', 'npx -y shellkeep@latest token revoke x', 'shellkeep install cursor', 'shellkeep uninstall --all', 'shellkeep stop', 'node /opt/shellkeep/dist/cli.js token add x --max-class safe'],
    notExamples: ['shellkeep token list', 'shellkeep token', 'shellkeep install', 'shellkeep install --print', 'node dist/cli.js install x', 'npm install shellkeep', 'shellkeep run -- ls'],
  },
  {
    id: 'disk-tool', class: 'dangerous', reason: 'arranges disks: even its questions are better answered by a person',
    programs: ['fdisk', 'gdisk', 'cfdisk', 'parted', 'gparted', 'mount', 'umount', 'swapoff', 'lvremove', 'vgremove', 'pvremove', 'mdadm', 'losetup', 'zpool', 'zfs', 'diskutil', 'diskpart', 'resize2fs', 'tune2fs', 'e2fsck', 'fsck', 'xfs_repair', 'xfs_growfs', 'hdparm', 'flashrom', 'fwupdmgr', 'dmsetup', 'btrfs'],
    match: arrangesDisks,
    examples: ['fdisk /dev/sda', 'umount /home', 'umount -l /', 'tune2fs -L x /dev/sda1', 'fsck -y /dev/sda1', 'flashrom -w x', 'mount /dev/sdb1 /mnt', 'zfs destroy tank', 'lvremove vg/lv'],
    notExamples: ['fdisk -l /dev/sda', 'losetup -a', 'tune2fs -l /dev/sda1', 'fsck -n /dev/sda1', 'hdparm -I /dev/sda', 'mount', 'zpool status', 'parted -l', 'diskutil list'],
  },
];

/** What only shows or checks; the same letter means something else to some of them. */
const ASKS_DISK: ReadonlyMap<string, RegExp> = new Map(Object.entries<RegExp>({ umount: /^(?:-V|--version)$/, losetup: /^(?:-[alj]|--list|--all|--show)$/, tune2fs: /^-l$/, fsck: /^-[a-zA-Z]*[nN]/, e2fsck: /^-[a-zA-Z]*n/, xfs_repair: /^-n$/, hdparm: /^-[ICiTtgv]+$/, flashrom: /^-[rv]|^--(?:read|verify)/, fwupdmgr: /^get-|^security$/, dmsetup: /^(?:ls|info|table|deps|status|version|targets)$/, btrfs: /^(?:list|show|df|usage|status|stats|get-default|du|dump.*|filesystem)$/ }));
const ASKS = /^(?:-l|--list|list|print|status|get|info|-V|--version|--help|-h|--show|-j|-t)$/;

function arrangesDisks({ program, args }: SimpleCommand): boolean {
  if (args.length === 0 || args.includes('--help')) return false;
  if (args.some((arg) => (ASKS_DISK.get(program) ?? ASKS).test(arg))) return false;
  return !(program === 'mount' && args.length === 2 && args[0] === '-t');
}

function changesTrust(command: SimpleCommand): boolean {
  if (command.args.length < 2 || !command.args.some((arg) => arg.endsWith('trust'))) return false;
  const [word = '', ...more] = ownWords(command, /shellkeep.*\.[cm]?[jt]s$|(?:^|\/)dist\/cli\.js$/) ?? [];
  return /^(?:un)?trust$/.test(word) && more.some((arg) => !arg.startsWith('-'));
}

function changesServer(command: SimpleCommand): boolean {
  const [word = '', ...more] = ownWords(command, /shellkeep.*\.[cm]?[jt]s$/) ?? [];
  if (word === 'token') return more.some((arg) => arg === 'add' || arg === 'revoke');
  return word === 'stop' || (/^(?:un)?install$/.test(word) && more.some((arg) => arg !== '--print' && arg !== '--dry-run'));
}

/** What our own program is told, by its name or its file run by node; undefined for another program. */
function ownWords({ program, args }: SimpleCommand, file: RegExp): readonly string[] | undefined {
  if (/^shellkeep(?:@.*)?$/.test(program)) return args;
  const at = program === 'node' || program === 'bun' || program === 'deno' ? args.findIndex((arg) => file.test(arg)) : -1;
  return at === -1 ? undefined : args.slice(at + 1);
}
