// What the soak does in a session, and what must come of it. Each step runs one or more commands through `user` (user.mjs), which compares.
import { randomLine } from './random.mjs';

/** How often each step is taken. */
export const WEIGHTS = {
  file: 16, line: 14, code: 14, bothStreams: 6, badSyntax: 6, interrupted: 5, exits: 3, background: 5, directory: 8, variable: 8, previousCode: 5, killed: 4, script: 6, late: 3, separate: 4,
};

const ALL_BYTES = 4_000_000;

export const STEPS = {
  /** A file of 0 bytes to 2 MB, whole in one answer or read piece by piece. */
  async file(user) {
    const { name, text } = user.random.pick(user.files);
    const command = `cat ${user.quote(name)}`;
    if (user.random.chance(0.5)) {
      await user.run(command, { max_output_bytes: ALL_BYTES }, { output: text, code: 0 });
      return;
    }
    const { command_id } = await user.run(command, { max_output_bytes: 1_000 }, { code: 0 });
    user.same('the pieces', await user.readAll(command_id, user.random.between(1_000, 400_000)), text);
  },

  async line(user) {
    const text = randomLine(user.random, 300);
    await user.run(`printf '%s' ${user.quote(text)}`, {}, { output: text, code: 0 });
  },

  async code(user) {
    const code = user.random.between(0, 255);
    const command = user.random.pick([`sh -c 'exit ${code}'`, ...(user.isFish ? [] : [`(exit ${code})`]), `sh -c 'echo out; exit ${code}' >/dev/null`]);
    await user.run(command, {}, { output: '', code });
  },

  async previousCode(user) {
    const code = user.random.between(0, 255);
    await user.run(`sh -c 'exit ${code}'`, {}, { output: '', code });
    await user.run(user.isFish ? 'echo $status' : 'echo $?', {}, { output: `${code}\n`, code: 0 });
  },

  async bothStreams(user) {
    const code = user.random.between(1, 125);
    await user.run(`sh -c 'echo to stdout; echo to stderr >&2; exit ${code}'`, {}, { output: 'to stdout\nto stderr\n', code });
  },

  async separate(user) {
    const [out, err] = [randomLine(user.random, 60), randomLine(user.random, 60)];
    await user.run(`printf '%s' ${user.quote(out)}; printf '%s' ${user.quote(err)} >&2`, { stderr: 'separate' }, { output: out, stderr: err, code: 0 });
  },

  async badSyntax(user) {
    const { command, code, pattern } = user.random.pick(BAD_SYNTAX[user.shell]);
    await user.run(command, {}, { pattern, code });
  },

  /** Ended from outside while it sleeps; what stands behind it does not run. */
  async interrupted(user) {
    const command = 'sleep 300; echo SHOULD_NOT_RUN';
    if (user.random.chance(0.4)) {
      await user.run(command, { timeout_ms: 30, on_timeout: 'interrupt' }, { pattern: /^(\^C\n?)?$/, code: 130 });
      return;
    }
    await user.run(command, { timeout_ms: 30 }, { state: 'running' });
    const report = user.random.chance(0.5)
      ? await user.call('session_interrupt', {})
      : await user.call('session_send', { keys: ['ctrl-c'], timeout_ms: 20_000 });
    user.compare(report, { pattern: /^(\^C\n?)?$/, code: 130 });
  },

  /** The shell itself ends; the next command finds directory and exported variables in a new one. */
  async exits(user) {
    const code = user.random.between(0, 255);
    await user.run(`exit ${code}`, {}, { state: 'ended', code });
    await user.lookAround();
  },

  async background(user) {
    // In fish a job in the background leaves the status as it was.
    const { background } = await user.run('true; sleep 0.05 &', {}, { pattern: /^(\[\d+\] \d+\n)?$/, code: 0 });
    if (background?.length > 1) user.wrong(`one job was started, ${background.length} are listed`);
    await user.run('printf beside', {}, { output: 'beside', code: 0 });
    await user.run('wait', {}, { pattern: /^(\[\d+\][+-]?\s.*sleep.*\n|\n?fish: Job .*sleep.*\n)?$/, code: 0 });
    await user.run('printf after', {}, { output: 'after', code: 0 });
  },

  async directory(user) {
    const directory = user.random.pick(user.directories);
    await user.run(`cd ${user.quote(directory)}`, {}, { output: '', code: 0, cwd: directory });
    await user.lookAround();
  },

  async variable(user) {
    const name = `SOAK_${user.random.between(1, 6)}`;
    if (user.variables.has(name) && user.random.chance(0.3)) await user.unset(name);
    else await user.export(name, randomLine(user.random, 80));
    await user.lookAround();
  },

  async killed(user) {
    const [signal, code] = user.random.pick([['KILL', 137], ['TERM', 143], ['SEGV', 139], ['HUP', 129]]);
    const report = await user.run(`sh -c 'kill -${signal} $$'`, {}, { pattern: /^(.*\n)*.*$/, code });
    if (report.output?.length > 500) user.wrong(`much output about one signal: ${report.output.slice(0, 200)}`);
  },

  async script(user) {
    const lines = Array.from({ length: user.random.between(1, 20) }, () => randomLine(user.random, 60));
    const document = lines.join('\n');
    const command = user.isFish
      ? `for line in ${lines.map(user.quote).join(' ')}\n  printf '%s\\n' $line\nend`
      : user.random.chance(0.5) ? `cat <<'END OF IT'\n${document}\nEND OF IT` : `for line in ${lines.map(user.quote).join(' ')}; do\n  printf '%s\\n' "$line"\ndone # a note`;
    await user.run(command, {}, { output: `${document}\n`, code: 0 });
  },

  /** The time is over before the command is; the rest is read later, and nothing of it reaches the next command. */
  async late(user) {
    const { command_id } = await user.run('sleep 0.2; echo late', { timeout_ms: 20 }, { state: 'running' });
    user.compare(await user.call('session_read', { command_id, cursor: 0, timeout_ms: 20_000 }), { output: 'late\n', code: 0 });
  },
};

const BAD_SYNTAX = {
  bash: [
    { command: 'echo "unclosed', code: 2, pattern: /unexpected EOF while looking for matching/ },
    { command: 'if true; then', code: 2, pattern: /syntax error: unexpected end of file/ },
    { command: 'echo )', code: 2, pattern: /syntax error near unexpected token/ },
    { command: 'no_such_program_here', code: 127, pattern: /no_such_program_here/ },
  ],
  zsh: [
    { command: 'echo "unclosed', code: 1, pattern: /unmatched "/ },
    { command: 'echo )', code: 1, pattern: /parse error/ },
    { command: 'no_such_program_here', code: 127, pattern: /no_such_program_here/ },
  ],
  fish: [
    { command: 'if true', code: 123, pattern: /Missing end/ },
    { command: 'cat <<EOF', code: 123, pattern: /Expected a string|redirection/ },
    { command: 'no_such_program_here', code: 127, pattern: /no_such_program_here/ },
  ],
};
