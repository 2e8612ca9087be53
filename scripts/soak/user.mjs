// The model of one session: it knows what the shell must know, sends commands and compares the answers.

export class User {
  /** Directory and exported variables as they must be. */
  variables = new Map();
  cwd;
  commandsRun = 0;
  #server;
  #id;
  #onWrong;
  #recent = [];

  /** @param {{ server: object, shell: string, random: object, files: object[], directories: string[], onWrong: (line: string) => void }} options */
  constructor({ server, shell, random, files, directories, onWrong }) {
    Object.assign(this, { shell, random, files, directories });
    this.isFish = shell === 'fish';
    this.#server = server;
    this.#onWrong = onWrong;
  }

  async open() {
    const { session_id, cwd } = await this.#server.facts('session_create', { shell: this.shell, cwd: this.directories[0] });
    this.#id = session_id;
    this.cwd = cwd;
  }

  close() {
    return this.call('session_destroy', {});
  }

  /** A call about this session, whatever it answers. */
  async call(tool, args) {
    const { facts, text, isError } = await this.#server.call(tool, { session_id: this.#id, ...args });
    if (!isError) return facts;
    this.wrong(`${tool} ${JSON.stringify(args).slice(0, 200)} answered ${text}`);
    return {};
  }

  async run(command, args, expected) {
    this.commandsRun++;
    this.#recent = [...this.#recent.slice(-4), command.slice(0, 100)];
    const facts = await this.call('session_run', { command, dangerous: true, ...args });
    this.compare(facts, expected);
    return facts;
  }

  /** The whole output of a command in pieces of `pieceBytes`. */
  async readAll(command_id, pieceBytes) {
    let text = '';
    for (let cursor = 0; ;) {
      const piece = await this.call('session_read', { command_id, cursor, max_output_bytes: pieceBytes });
      text += piece.output ?? '';
      if (piece.cursor === undefined || piece.cursor <= cursor) return text;
      cursor = piece.cursor;
    }
  }

  /** fish's `set` leaves the status as it was, so something that succeeds follows it. */
  async export(name, value) {
    this.variables.set(name, value);
    await this.run(this.isFish ? `set -gx ${name} ${this.quote(value)}; true` : `export ${name}=${this.quote(value)}`, {}, { output: '', code: 0 });
  }

  async unset(name) {
    this.variables.delete(name);
    await this.run(this.isFish ? `set -e ${name}; true` : `unset ${name}`, {}, { output: '', code: 0 });
  }

  /** Every variable and the directory, as a program sees them. */
  async lookAround() {
    const names = [...this.variables.keys()].sort();
    const command = ['pwd', ...names.map((name) => `printenv ${name}`)].join('; ');
    await this.run(command, {}, { output: [this.cwd, ...names.map((name) => this.variables.get(name))].map((line) => `${line}\n`).join(''), code: 0 });
  }

  /** @param {{ state?: string, output?: string, pattern?: RegExp, stderr?: string, code?: number, cwd?: string }} expected */
  compare(facts, { state = 'done', output, pattern, stderr, code, cwd = this.cwd }) {
    if (facts.state === undefined) return; // the call itself was wrong, and that was said
    if (facts.state !== state) this.wrong(`state ${facts.state}, wanted ${state}; warnings: ${JSON.stringify(facts.warnings)}`);
    if (state !== 'running') this.same('exit_code', facts.exit_code, code);
    if (output !== undefined) this.same('output', facts.output, output);
    if (stderr !== undefined) this.same('stderr', facts.stderr, stderr);
    if (pattern !== undefined && !pattern.test(facts.output ?? '')) this.wrong(`output ${JSON.stringify(facts.output)?.slice(0, 300)} does not match ${pattern}`);
    this.cwd = cwd;
    if (state === 'done') this.same('cwd', facts.cwd, cwd);
  }

  same(what, got, wanted) {
    if (got === wanted) return;
    this.wrong(`${what}: ${difference(got, wanted)}`);
  }

  wrong(what) {
    this.#onWrong(`${this.shell} ${this.#id}: ${what}\n    after ${this.#recent.map((command) => JSON.stringify(command)).join(', ')}`);
  }

  quote = (text) => (this.isFish ? `'${text.replace(/[\\']/g, '\\$&')}'` : `'${text.replaceAll("'", "'\\''")}'`);
}

/** Where two values begin to differ. */
function difference(got, wanted) {
  if (typeof got !== 'string' || typeof wanted !== 'string') return `got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`;
  let at = 0;
  while (at < got.length && got[at] === wanted[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 60));
  return `${got.length} characters, wanted ${wanted.length}; from ${at} on got ${around(got)}, wanted ${around(wanted)}`;
}
