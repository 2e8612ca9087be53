// Rules about git: published history, and settings that are commands.
import type { SimpleCommand } from '../syntax/command.ts';
import { isGitCommandSetting } from '../syntax/inner-git.ts';
import { parseArguments } from '../syntax/options.ts';
import { deletionPlace } from './paths.ts';
import type { Rule } from './rule.ts';

const GIT = { values: 'Cc', longValues: ['git-dir', 'work-tree', 'namespace', 'exec-path', 'super-prefix', 'config-env'], stopsAtOperand: true };
const PUSH = { values: 'o', longValues: ['push-option', 'repo', 'receive-pack', 'exec'] };

export const GIT_RULES: readonly Rule[] = [
  {
    id: 'git-force-push', class: 'dangerous', reason: 'overwrites or deletes published history: use --force-with-lease',
    programs: ['git', 'hg'], match: (command) => forcesPush(command),
    examples: ['git push -f origin main', 'git push --force', 'git push origin +main', 'git -C sub push -fu origin x', 'git push --mirror', 'git push origin --delete x', 'git push origin :x', "git -c alias.p='push -f' p", 'hg push --force'],
    notExamples: ['git push', 'git -C sub push --force-with-lease', 'git push origin HEAD:refs/heads/force', "git log --grep='push --force'", 'git push -u origin main', 'hg push', "git config alias.p 'push -u'"],
  },
  {
    id: 'git-command-setting', class: 'dangerous', reason: 'gives git a command to run, now or later',
    programs: ['git'], match: (command) => setsCommand(command),
    examples: ['git -c core.pager="sh x" log', 'git config core.sshCommand ./x', 'git config --global alias.x "!ls"', 'git -c core.fsmonitor=./x status', 'git config core.hooksPath x', 'git clone "ext::sh -c x"', 'git clone -c core.hooksPath=./x u', 'git fetch --upload-pack ./x h', 'git --exec-path=./x status', 'git init --template=./x', 'git difftool --extcmd=./x', 'git archive --remote=h --exec=./x HEAD'],
    notExamples: ['git -c user.name=x commit -m y', 'git config user.email a@b', 'git config --get core.pager', 'git -c core.pager=cat log', 'git config alias.st status', 'git clone -c core.autocrlf=false u', 'git --exec-path', 'git archive -o x.tar HEAD'],
  },
  {
    id: 'git-clean-protected', class: 'reject', isGrave: true, reason: 'git clean would delete in the system or in a whole home directory: run it in the project',
    programs: ['git'], match: (command, view) => cleans(command) && cleanedBy(command).some((directory) => deletionPlace(directory, command.directories, view) === 'protected'),
    examples: ['git -C / clean -fdx', 'cd / && git clean -fdx', 'git --work-tree=/ clean -fd', 'cd ~ && git clean -xdf', 'git -C ~ clean -ffd'],
    notExamples: ['git clean -fdx', 'git clean -n', 'git -C sub clean -fd', 'git -C / status', 'cd / && git clean -ndx'],
  },
];

/** Whether files are deleted, not listed. */
function cleans(command: SimpleCommand): boolean {
  const { verb, rest } = splitGit(command);
  return verb === 'clean' && !rest.some((arg) => /^-[a-zA-Z]*n|^--dry-run$/.test(arg));
}

/** The directories that a clean may run in. */
function cleanedBy({ args }: SimpleCommand): readonly string[] {
  const trees = args.flatMap((arg, index) => (arg.startsWith('--work-tree=') ? [arg.slice(12)] : arg === '--work-tree' ? [args[index + 1] ?? ''] : []));
  const { options } = parseArguments(args, GIT);
  return ['.', ...options.flatMap(({ name, value }) => (name === 'C' && value !== undefined ? [value] : [])), ...trees];
}

function splitGit({ args }: SimpleCommand): { readonly verb: string | undefined; readonly rest: readonly string[]; readonly settings: readonly string[] } {
  const parsed = parseArguments(args, GIT);
  return { verb: parsed.operands[0], rest: parsed.operands.slice(1), settings: parsed.options.flatMap(({ name, value }) => (name === 'c' && value !== undefined ? [value] : [])) };
}

function forcesPush(command: SimpleCommand): boolean {
  if (command.program === 'hg') return command.args.includes('push') && command.args.some((arg) => /^(?:-[a-z]*f|--force)$/.test(arg));
  const { verb, rest } = splitGit(command);
  if (verb !== 'push' && verb !== 'send-pack') return false;
  const parsed = parseArguments(rest, PUSH);
  const isForced = parsed.options.some(({ name }) => name === 'f' || name === 'd' || /^(?:forc?e?|mirr?o?r?|dele?t?e?|prun?e?)$/.test(name));
  if (parsed.options.some(({ name }) => name === 'n' || name === 'dry-run')) return false;
  return isForced || parsed.operands.slice(1).some((refspec) => refspec.startsWith('+') || /^:./.test(refspec));
}

const HARMLESS_COMMANDS = /^(?:|cat|less(?: [-\w]+)?|more|true|false|:|vim?|nvim|nano|emacs|code(?: --wait)?|delta|bat|manager|store|cache(?: --timeout=\d+)?|osxkeychain|gpg2?|ssh(?: -i \S+)?(?: -o (?:StrictHostKeyChecking|IdentitiesOnly)=\S+)*|git-lfs (?:clean|smudge) -- %f|git-lfs filter-process)$/;

function setsCommand(command: SimpleCommand): boolean {
  const { verb, rest, settings } = splitGit(command);
  if (settings.some(isSetting)) return true;
  if (command.args.some((arg) => /^ext::|^--(?:config-env|upload-pack|receive-pack|exec-path|template|extcmd|smtp-server)=\S*\/?|^--(?:upload-pack|receive-pack|extcmd)$/.test(arg)) || (verb !== 'rebase' && rest.some((arg) => /^--exec(?:=|$)/.test(arg)))) return true;
  if (verb === 'clone' || verb === 'init' || verb === 'mergetool') return rest.some((arg, index) => (arg === '-c' || arg === '--config' ? isSetting(rest[index + 1] ?? '') : arg.startsWith('--config=') && isSetting(arg.slice(9))));
  if (verb !== 'config') return false;
  const { operands, options } = parseArguments(rest, { values: 'f', longValues: ['file', 'blob', 'type', 'default'] });
  if (options.some(({ name }) => /^(?:get|list|l|unset|get-all|get-regexp|show-origin|remove-section|edit)/.test(name))) return false;
  const [name = '', value] = operands[0] === 'set' ? operands.slice(1) : operands;
  return value !== undefined && isCommandSetting(name, value);
}

/** `name=value` of a setting that is a command. */
function isSetting(text: string): boolean {
  return isCommandSetting(text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1));
}

function isCommandSetting(name: string, value: string): boolean {
  if (/^alias\./i.test(name)) return value.startsWith('!');
  if (/^(?:core\.hookspath|include\.path|includeif\..*|core\.attributesfile|protocol\.ext\.allow|core\.worktree|init\.templatedir)$/i.test(name)) return true;
  return isGitCommandSetting(name) && !HARMLESS_COMMANDS.test(value);
}
