// Rules about git: published history, and settings that are commands.
import type { SimpleCommand } from '../syntax/command.ts';
import { isGitCommandSetting } from '../syntax/inner.ts';
import { parseArguments } from '../syntax/options.ts';
import type { Rule } from './rule.ts';

const GIT = { values: 'Cc', longValues: ['git-dir', 'work-tree', 'namespace', 'exec-path', 'super-prefix', 'config-env'], stopsAtOperand: true };
const PUSH = { values: 'o', longValues: ['push-option', 'repo', 'receive-pack', 'exec'] };

export const GIT_RULES: readonly Rule[] = [
  {
    id: 'git-force-push', class: 'dangerous', reason: 'overwrites or deletes published history: use --force-with-lease',
    programs: ['git'], match: (command) => forcesPush(command),
    examples: ['git push -f origin main', 'git push --force', 'git push origin +main', 'git -C sub push -fu origin x', 'git push --mirror', 'git push origin --delete x', 'git push origin :x'],
    notExamples: ['git push', 'git -C sub push --force-with-lease', 'git push origin HEAD:refs/heads/force', "git log --grep='push --force'", 'git push -u origin main'],
  },
  {
    id: 'git-command-setting', class: 'dangerous', reason: 'gives git a command to run, now or later',
    programs: ['git'], match: (command) => setsCommand(command),
    examples: ['git -c core.pager="sh x" log', 'git config core.sshCommand ./x', 'git config --global alias.x "!ls"', 'git -c core.fsmonitor=./x status', 'git config core.hooksPath x', 'git clone "ext::sh -c x"'],
    notExamples: ['git -c user.name=x commit -m y', 'git config user.email a@b', 'git config --get core.pager', 'git -c core.pager=cat log', 'git config alias.st status'],
  },
];

function splitGit({ args }: SimpleCommand): { readonly verb: string | undefined; readonly rest: readonly string[]; readonly settings: readonly string[] } {
  const parsed = parseArguments(args, GIT);
  return { verb: parsed.operands[0], rest: parsed.operands.slice(1), settings: parsed.options.flatMap(({ name, value }) => (name === 'c' && value !== undefined ? [value] : [])) };
}

function forcesPush(command: SimpleCommand): boolean {
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
  if (settings.some((setting) => isCommandSetting(setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)))) return true;
  if (command.args.some((arg) => /^ext::|^--config-env=|^--upload-pack=|^--receive-pack=/.test(arg))) return true;
  if (verb !== 'config') return false;
  const { operands, options } = parseArguments(rest, { values: 'f', longValues: ['file', 'blob', 'type', 'default'] });
  if (options.some(({ name }) => /^(?:get|list|l|unset|get-all|get-regexp|show-origin|remove-section|edit)/.test(name))) return false;
  const [name = '', value] = operands[0] === 'set' ? operands.slice(1) : operands;
  return value !== undefined && isCommandSetting(name, value);
}

function isCommandSetting(name: string, value: string): boolean {
  if (/^alias\./i.test(name)) return value.startsWith('!');
  if (/^(?:core\.hookspath|include\.path|includeif\..*|core\.attributesfile|protocol\.ext\.allow|core\.worktree|init\.templatedir)$/i.test(name)) return true;
  return isGitCommandSetting(name) && !HARMLESS_COMMANDS.test(value);
}
