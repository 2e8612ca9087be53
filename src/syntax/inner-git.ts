// What git is told to run: settings that are commands, aliases, hooks of single commands.
import type { Inner } from './inner.ts';
import { quoted, UNKNOWN_WORDS } from './marks.ts';

/** Options that are a command, with the value in the same word or the next. */
const COMMAND_OPTIONS = /^--(upload-pack|receive-pack|exec|open-files-in-pager|extcmd|sendmail-cmd|(?:to|cc|header)-cmd|(?:tree|index|msg|env|commit|parent|tag-name)-filter)(?:=([^]*))?$/;
/** Short options that are a command, by the verb. */
const SHORT_OPTIONS: Readonly<Record<string, string>> = { rebase: '-x', clone: '-u', difftool: '-x' };

/** Options and settings of git that are commands; those that begin with `!` are shell code. */
export function gitCode(args: readonly string[]): Inner[] {
  return [...settings(args), ...options(args), ...verbs(args)];
}

function settings(args: readonly string[]): Inner[] {
  const config = args.some((arg) => /^--(?:get|unset|list|remove|rename|show)|^-l$/.test(arg)) ? -1 : args.indexOf('config');
  let aliases = 0;
  return args.flatMap((arg, index): Inner[] => {
    const next = args[index + 1] ?? '';
    if ((arg === '-c' || arg === '--config') && next.includes('=')) {
      if (/^alias\./i.test(next) && ++aliases > MAX_ALIASES) return [code(UNKNOWN_WORDS, 'git -c alias')];
      return setting(next.slice(0, next.indexOf('=')), next.slice(next.indexOf('=') + 1), () => args.slice(index + 2));
    }
    if (config < 0 || index < config || next === '') return [];
    return setting(arg, next, () => []);
  });
}

/** Each takes the words behind it; nobody gives so many in one command, and what more there are is unknown. */
const MAX_ALIASES = 8;
/** The value of a setting as what it runs; an alias is words of git, to which those that follow are given. */
function setting(name: string, value: string, behind: () => readonly string[]): Inner[] {
  if (value.startsWith('!')) return [code(value.slice(1), `git ${name}`)];
  if (isGitCommandSetting(name)) return [code(value, `git ${name}`)];
  const [, alias] = /^alias\.(.+)$/i.exec(name) ?? [];
  if (alias === undefined || value.split(' ', 1)[0] === alias) return [];
  const rest = behind();
  return [code(['git', value, ...(rest[0] === alias ? rest.slice(1) : []).map(quoted)].join(' '), `git ${name}`)];
}

function options(args: readonly string[]): Inner[] {
  const verb = Object.keys(SHORT_OPTIONS).find((one) => args.includes(one));
  const isGrep = args.includes('grep');
  return args.flatMap((arg, index): Inner[] => {
    if (!arg.startsWith('-')) return [];
    const next = args[index + 1] ?? '';
    const [, name, value] = COMMAND_OPTIONS.exec(arg) ?? [];
    if (name !== undefined) return [code(value ?? next, `git --${name}`)];
    if (verb !== undefined && arg === SHORT_OPTIONS[verb] && next !== '') return [code(next, `git ${verb} ${arg}`)];
    const pager = isGrep ? /^-O(.+)$/.exec(arg)?.[1] : undefined;
    return pager === undefined ? [] : [code(pager, 'git grep -O')];
  });
}

function verbs(args: readonly string[]): Inner[] {
  const after = (verb: string, word: string): readonly string[] | undefined => {
    const at = args.includes(verb) ? args.indexOf(word, args.indexOf(verb)) : -1;
    return at < 0 ? undefined : args.slice(at + 1);
  };
  const each = after('submodule', 'foreach')?.filter((word) => word !== '--recursive' && word !== '--quiet' && word !== '-q');
  const tried = after('bisect', 'run');
  return [...(each === undefined ? [] : [code(each.join(' '), 'git submodule foreach')]), ...(tried === undefined ? [] : [{ kind: 'argv' as const, argv: tried }])];
}

/** Whether git runs the value of a setting as a command. */
export function isGitCommandSetting(name: string): boolean {
  return /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|mergetool\..*\.cmd|difftool\..*\.cmd|gpg(?:\..*)?\.program|credential(?:\..*)?\.helper|pager\..*|interactive\.difffilter|remote\..*\.(?:uploadpack|receivepack)|uploadpack\.packobjectshook|sendemail\.(?:smtpserver|tocmd|cccmd)|man\..*\.cmd|browser\..*\.cmd|web\.browser)$/i.test(name);
}

function code(text: string, name: string): Inner {
  return { kind: 'code', code: text, name, isProcess: true };
}
