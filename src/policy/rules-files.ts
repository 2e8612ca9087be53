// Rules about losing files: recursive deletion, find, permissions, and what is synchronised away.
import type { SimpleCommand } from '../syntax/command.ts';
import { GLOB_STAR, hasUnknown, UNKNOWN, UNKNOWN_WORDS } from '../syntax/marks.ts';
import { execOfFd, rootsOfFd, rootsOfFind } from '../syntax/inner-search.ts';
import { hasOption, parseArguments } from '../syntax/options.ts';
import { isWrapper } from '../syntax/wrappers.ts';
import { absolute, deletionPlace, isEverything, isProtected, isShared } from './paths.ts';
import type { DeletionPlace } from './paths.ts';
import { isPrivileged, once } from './rule.ts';
import type { Rule, View } from './rule.ts';
import { writePlace } from './write-places.ts';

const REMOVERS = ['rm', 'grm', 'rimraf', 'srm', 'del-cli', 'trash', 'trash-put', 'rmtree', 'Remove-Item'];
/** They expand patterns themselves, quoted or not. */
const EXPANDING = new Set(['rimraf', 'del-cli', 'Remove-Item']);
const FINDERS = ['find', 'gfind', 'bfs', 'fd', 'fdfind'];

export const FILE_RULES: readonly Rule[] = [
  {
    id: 'privileged-rm', class: 'reject', reason: 'rm with raised privileges never runs here: delete as the user, below the allowed roots',
    programs: [...REMOVERS, 'shred'], match: isPrivileged,
    examples: ['sudo rm x', 'sudo -u root -- rm -rf /tmp/x', 'doas rm -r a', "sudo sh -c 'rm x'", 'sudo env A=1 rm x', 'su -c "rm -rf build"'],
    notExamples: ['./scripts/sudo-free.sh', 'echo sudo rm x', 'grep -r "sudo rm" .', 'man sudo', 'rm sudo'],
  },
  {
    id: 'delete-protected', class: 'reject', isGrave: true, reason: 'would delete the system, a home directory or everything in one: name a directory below the allowed roots instead',
    programs: REMOVERS, match: (command, view) => !command.contained && deletes(command, view, ['protected']),
    examples: ['rm -rf /', 'rm -r -f ~', 'rm --rec --forc /', 'rm -rf /home/../etc', 'rm -rf ../..', '{rm,-rf,/}', 'a=r b=m; $a$b -rf /', 'find . -exec rm -rf / \\;', "python3 -c \"import shutil; shutil.rmtree('/home/u')\""],
    notExamples: ['echo rm -rf /', 'rm -rf ./build dist/', 'cd build && rm -rf CMakeFiles', 'rm -f *.o', 'rm -rf /tmp/x'],
  },
  {
    id: 'delete-elsewhere', class: 'dangerous', reason: 'deletes recursively what is outside of the allowed roots, is a root itself, or cannot be known from the text: name the directory',
    programs: REMOVERS, match: (command, view) => deletes(command, view, command.contained ? ['protected', 'unknown', 'precious'] : ['elsewhere', 'unknown', 'precious', 'root']),
    examples: ['rm -rf "$UNSET"/*', 'rm -rf /opt/app', 'rm -rf /home/u/other', 'rm -rf "$dir"', 'rm -rf .', 'docker exec app rm -rf /', 'rm $FLAGS', 'rm -f ~/*', 'cd - && rm -rf *'],
    notExamples: ['docker exec app rm -rf /tmp/cache', 'rm -r "$PWD/build"', 'd=$(mktemp -d) && rm -rf "$d"', 'rm "$file"', 'docker rm c1', 'rm -f ~/*.tmp', 'rm *.log'],
  },
  {
    id: 'move-protected', class: 'reject', isGrave: true, reason: 'would move the system or a home directory away',
    programs: ['mv', 'gmv'], match: (command, view) => !command.contained && sourcesOf(command).some((path) => deletionPlace(path, command.directories, view) === 'protected' && isWholesale(path, command, view)),
    examples: ['mv / /tmp/x', 'mv ~ /tmp/old', 'mv /etc /tmp', 'mv /usr/* /tmp/x', 'mv /home/u /tmp/x'],
    notExamples: ['mv a b', 'mv *.txt docs/', 'mv src/a.c src/b.c', 'mv /tmp/a /tmp/b', 'mv build old-build'],
  },
  {
    id: 'find-delete-protected', class: 'reject', isGrave: true, reason: 'find would delete in the system or in a home directory: start it below the allowed roots',
    programs: FINDERS, match: (command, view) => findDeletes(command, view) && !command.contained && findsProtected(command, view),
    examples: ['find / -maxdepth 0 -delete', 'find ~ -name "*.log" -delete', 'find /etc -exec rm {} \\;', 'find /usr /tmp -type f -delete', 'cd / && find . -delete', 'fd . / -x rm'],
    notExamples: ['find / -name passwd', 'find . -type f -exec grep -l rm {} +', 'find /etc -name "*.conf"', 'find . -name rm', 'find /tmp -exec ls {} \\;'],
  },
  {
    id: 'delete-found', class: 'reject', isGrave: true, reason: 'would delete what find lists in the system or in a home directory: start it below the allowed roots',
    programs: [...REMOVERS, 'unlink', 'rmdir', 'shred'], match: (command, view) => !command.contained && command.args.some(hasUnknown) && command.upstream.some((found) => FINDERS.includes(found.program) && findsProtected(found, view)),
    examples: ['find / | xargs rm -rf', 'find /etc -print0 | xargs -0 rm -f', 'find ~ -type f | xargs -n1 rm', 'find / | while read f; do rm -rf "$f"; done', 'find /usr | sort | xargs -I{} unlink {}'],
    notExamples: ['find / -name x | xargs ls', 'find . -name "*.o" | xargs grep x', 'find src | while read -r f; do wc "$f"; done', 'find /etc | wc -l', 'find . | while read -r f; do rm "$f"; done'],
  },
  {
    id: 'find-delete', class: 'dangerous', reason: 'find deletes whatever its conditions match: look at the list first, then repeat with dangerous',
    programs: FINDERS, match: (command, view) => findDeletes(command, view),
    examples: ['find . -name "*.o" -delete', 'find . -exec rm {} +', 'find build -type f -execdir rm -f {} \\;', 'find . -name "*.pyc" -exec unlink {} \\;', "find . -exec sh -c 'rm \"$1\"' _ {} \\;", 'fd -e o -X rm'],
    notExamples: ['find . -name "*.o" -print', 'find . -name delete', 'find /tmp -name x', 'find . -exec ls -l {} +', 'find . -newer a -exec cat {} \\;'],
  },
  {
    id: 'find-delete-strict', class: 'reject', profiles: ['strict'], reason: 'the strict profile never lets find delete',
    programs: FINDERS, match: (command, view) => findDeletes(command, view),
    examples: [], notExamples: [],
  },
  {
    id: 'shred-system', class: 'reject', isGrave: true, reason: 'shred would destroy files of the system, or a disk',
    programs: ['shred', 'wipe', 'srm'], match: (command, view) => operandsOf(command, { values: 'ns', longValues: ['iterations', 'size', 'random-source'] }).some((path) => ['system', 'device'].includes(writePlace(path, command.directories, view))),
    examples: ['shred /etc/passwd', 'shred -u /var/log/syslog', 'shred -n 3 /usr/bin/ls', 'shred /dev/sda', 'shred /boot/vmlinuz'],
    notExamples: ['shred /tmp/secret', 'shred -u ~/key.txt', 'shred secret.txt', 'echo shred /etc/passwd', 'man shred'],
  },
  {
    id: 'empty-many', class: 'dangerous', isGrave: true, reason: 'would empty or overwrite everything in a home directory or in the system: name the files',
    programs: ['truncate', 'shred', 'wipe'], match: (command, view) => !command.contained && operandsOf(command, { values: 'nsro', longValues: ['iterations', 'size', 'random-source', 'reference'] }).some((path) => coversProtected(path, command, view)),
    examples: ['shred ~/*', 'shred -u /home/u/*', 'truncate -s0 ~/*', 'find ~ -type f -exec truncate -s 0 {} +', 'cd && shred *', 'find / -exec shred {} +'],
    notExamples: ['shred ~/*.key', 'shred -u secret', 'truncate -s0 *.log', 'find . -name "*.log" -exec truncate -s 0 {} +', 'shred "$f"', 'truncate -s 0 /tmp/*'],
  },
  {
    id: 'permissions-protected', class: 'reject', isGrave: true, reason: 'would change the permissions or owners of the system or of a whole home directory',
    programs: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'gchmod', 'gchown'], match: (command, view) => isRecursive(command) && permissionTargets(command).some((path) => deletionPlace(path, command.directories, view) === 'protected') && !command.contained,
    examples: ['chmod -R 777 /', 'chmod --recur 000 /etc', 'chown -R nobody /usr', 'chmod 777 -R ~', 'chmod -Rf 755 /var /tmp/x'],
    notExamples: ['chmod -R 755 dist', 'chmod +x run.sh', 'chmod 644 a b', 'chmod -R u+rwX /tmp/x', 'ls -R /'],
  },
  {
    id: 'permissions-system', class: 'dangerous', reason: 'changes permissions or owners of files of the system, or gives a program the rights of its owner',
    programs: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'gchmod', 'gchown', 'setcap'],
    match: (command, view) => permissionTargets(command).some((path) => writePlace(path, command.directories, view) !== 'elsewhere' || (!hasUnknown(path) && command.directories.some((directory) => isProtected(absolute(path, directory), view)))) || (command.program.endsWith('chmod') && /^(?:[ugoa]*[+=][rwxXt]*s|0?[2467]\d{3}$)/.test(operandsOf(command, {})[0] ?? '')) || command.program === 'setcap',
    examples: ['chmod 777 /', 'chmod 600 /etc/hosts', 'chown u /usr/bin/x', 'chmod u+s ./tool', 'chmod 644 ~/.ssh/authorized_keys', 'chmod 4755 a', 'chmod u=rwxs a', 'find / -exec chmod 777 {} +'],
    notExamples: ['chmod +x run.sh', 'chmod 0644 a', 'chmod u+x a', 'chown u a', 'ls -l /etc/hosts'],
  },
  {
    id: 'chown-recursive', class: 'dangerous', reason: 'changes the owner of everything below',
    programs: ['chown', 'gchown', 'chgrp'], match: isRecursive,
    examples: ['chown -R u:u .', 'chown --recursive u src', 'chown u -R src', 'chown -hR u src', 'chgrp -R staff src'],
    notExamples: ['chown u file', 'chown u:u a b', 'echo chown -R', 'chown --reference=a b', 'ls -R'],
  },
  {
    id: 'rsync-delete', class: 'dangerous', reason: 'rsync deletes what the source does not have: look with --dry-run first',
    programs: ['rsync'], match: (command) => !isDryRsync(command) && command.args.some((arg) => /^--del(?:$|e)/.test(arg) || arg === '--remove-source-files'),
    examples: ['rsync -a --delete a/ b/', 'rsync --delete-after -a a b', 'rsync --del a b', 'rsync -a --delete-excluded a b', "rsync '--delete' a/ b/"],
    notExamples: ['rsync -a a/ b/', 'rsync -an --delete a/ b/', 'rsync --dry-run --delete a/ b/', 'rsync -av --exclude=delete a b', 'rsync -a delete/ b/'],
  },
  {
    id: 'rsync-delete-protected', class: 'reject', isGrave: true, reason: 'rsync would empty the system or a home directory',
    programs: ['rsync'], match: (command, view) => command.args.some((arg) => /^--del(?:$|e)/.test(arg)) && !isDryRsync(command) && deletionPlace(operandsOf(command, RSYNC).at(-1) ?? '', command.directories, view) === 'protected',
    examples: ['rsync -a --delete empty/ /', 'rsync -a --delete empty/ ~', 'rsync --delete -a /tmp/e/ /etc', 'rsync -a --del e/ /home/u/', 'rsync -a --delete e/ /usr/'],
    notExamples: ['rsync -a src/ /tmp/x', 'rsync -a / /tmp/backup', 'rsync -an --delete e/ /', 'rsync -a ~/ /tmp/b', 'rsync --help'],
  },
];

const RSYNC = { values: 'efBTM', longValues: ['rsh', 'exclude', 'include', 'filter', 'files-from', 'exclude-from', 'include-from', 'log-file', 'backup-dir', 'suffix', 'bwlimit', 'timeout', 'port', 'rsync-path', 'chmod', 'chown'] };

function operandsOf(command: SimpleCommand, spec: { readonly values?: string; readonly longValues?: readonly string[] }): readonly string[] {
  return parseArguments(command.args, spec).operands;
}

/** Whether a remover would delete recursively in one of these places; with options unknown it may. */
function deletes(command: SimpleCommand, view: View, places: readonly DeletionPlace[]): boolean {
  return placesDeleted(command, view).some((place) => places.includes(place));
}

const placesDeleted = once((command, view): readonly DeletionPlace[] => {
  if (command.args.includes('--help') || command.args.includes('--version')) return [];
  const parsed = parseArguments(command.args);
  const isSure = command.program !== 'rm' && command.program !== 'grm' ? true : hasOption(parsed, 'rR', 'recursive');
  const isUnsure = !isSure && parsed.hasUnknownOption;
  if (!isSure && !isUnsure) return deletesEverything(parsed.operands, command, view) ? ['elsewhere'] : [];
  return [...new Set(parsed.operands)].map((path) => (EXPANDING.has(command.program) ? path.replaceAll('*', GLOB_STAR) : view.shell === 'zsh' ? withExclusions(path) : path)).map((path) => {
    const place = path.startsWith(UNKNOWN_WORDS) ? 'unknown' : deletionPlace(path, command.directories, view);
    return isUnsure && place === 'protected' ? 'unknown' : place;
  });
});

/** `^x` and `*~x`, everything but x, where zsh is told to read them so. */
function withExclusions(path: string): string {
  return /\^|\uFDD5~/.test(path) ? path.replace(/(^|\/)\^[^/]*|\uFDD5~[^/]*/g, `$1${GLOB_STAR}`) : path;
}

/** All files in a home directory or one of the system, if not what lies deeper. */
function deletesEverything(operands: readonly string[], command: SimpleCommand, view: View): boolean {
  return operands.some((path) => isAllOfProtected(path, command, view));
}

function isAllOfProtected(path: string, { directories }: SimpleCommand, view: View): boolean {
  return isEverything(path.slice(path.lastIndexOf('/') + 1)) && deletionPlace(path, directories, view) === 'protected';
}

/** Everything in a place that nobody may lose, or what find finds there. */
function coversProtected(path: string, command: SimpleCommand, view: View): boolean {
  if (!hasUnknown(path)) return isAllOfProtected(path, command, view);
  const [directory, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  return name === UNKNOWN && path.startsWith('/') && !hasUnknown(directory) && isProtected(directory === '' ? '/' : directory, view);
}

function sourcesOf(command: SimpleCommand): readonly string[] {
  const { operands } = parseArguments(command.args, { values: 'tS', longValues: ['target-directory', 'suffix'] });
  return command.args.some((arg) => /^(?:-t|--target)/.test(arg)) ? operands : operands.slice(0, -1);
}

/** A directory that the machine or a person lives in, or everything in one; a single file of it is a matter of the rules for writing. */
function isWholesale(path: string, command: SimpleCommand, view: View): boolean {
  return command.directories.some((directory) => {
    const whole = absolute(path, directory);
    return whole === view.home || /^(?:\/|\/[^/]+|\/(?:home|Users)\/[^/]+|\/usr\/[^/]+|.*\uFDD5)$/.test(whole);
  });
}

/** The places that a finder starts from. */
function rootsOf({ program, args }: SimpleCommand): readonly string[] {
  return program.startsWith('fd') ? rootsOfFd(args) : rootsOfFind(args);
}

/** Conditions that choose by more than the kind of a file. */
const CHOOSING = /^-(?:i?name|i?path|i?wholename|i?regex|[acm](?:time|min)|newer\w*|size|user|group|empty|perm|inum|samefile)$/;

/** Whether find starts in a protected place; what it chooses of a shared directory, such as /tmp, is not the whole of it. */
function findsProtected(command: SimpleCommand, view: View): boolean {
  const isChoosing = command.args.some((arg) => CHOOSING.test(arg));
  return rootsOf(command).some((path) => deletionPlace(path, command.directories, view) === 'protected' && !(isChoosing && command.directories.every((directory) => isShared(absolute(path, directory), view))));
}

const DELETING = new Set(['rm', 'unlink', 'shred', 'rmdir', 'srm', 'grm', 'trash', 'rimraf']);

/** -delete, or a remover among the words of an -exec, also inside the code of a shell there. */
const findDeletes = once((command): boolean => {
  const isFd = command.program.startsWith('fd');
  if (!isFd && command.args.includes('-delete')) return true;
  return (isFd ? [execOfFd(command.args)] : execsOf(command.args)).some((words) => {
    const names = words.map((word) => word.replace(/^.*\//, ''));
    return DELETING.has(names[0] ?? '') || (isWrapper(names[0] ?? '') && names.some((name) => DELETING.has(name))) || (/^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(words[0] ?? '') && words.some((word) => /(?:^|[\s;&|(])(?:\S*\/)?(?:rm|unlink|shred)\s/.test(word)));
  });
});

/** The words of each -exec and its like, up to `;` or `+`. */
function execsOf(args: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at] ?? '')) continue;
    const from = ++at;
    while (at < args.length && args[at] !== ';' && args[at] !== '+') at++;
    found.push(args.slice(from, at));
  }
  return found;
}

function isRecursive(command: SimpleCommand): boolean {
  return hasOption(parseArguments(command.args), 'R', 'recursive');
}

function permissionTargets(command: SimpleCommand): readonly string[] {
  const { operands } = parseArguments(command.args, { longValues: ['reference', 'from'], values: command.program === 'setfacl' ? 'mxMX' : '' });
  return command.args.some((arg) => arg.startsWith('--reference')) || command.program === 'setfacl' ? operands : operands.slice(1);
}

function isDryRsync(command: SimpleCommand): boolean {
  return hasOption(parseArguments(command.args, RSYNC), 'n', 'dry-run');
}
