// The only maker of commands that may run, and the only way for text to a shell: each is classified where it would run, and a
// dangerous one needs what the person who runs the server has settled.
import type { Classification, ExpectedError } from '../errors.ts';
import type { Judge, JudgeOptions, Judgement, Surroundings } from './judge.ts';
import { classificationOf, codeAtStart, forbidden, notConfirmed, questionOf, requiresOverride, requiresToken, type Terms } from './refusal.ts';
import { Tokens, type TokenOptions } from './tokens.ts';
import type { Typed, TypedInput } from './typed-input.ts';
import { worst, type Verdict } from './verdict.ts';

declare const approved: unique symbol;

/** A command text that may reach a shell, byte for byte. Only this file makes one. */
export interface ApprovedCommand {
  readonly text: string;
  readonly classification: Classification;
  /** Variables with code that it leaves in its shell. */
  readonly remember: Readonly<Record<string, string>>;
  /** The caller said "dangerous": that holds for what is typed into a shell which this starts, too. */
  readonly isOverridden: boolean;
  /** Where it would read commands from its standard input, and as which shell. */
  readonly readers: readonly Surroundings[];
  readonly [approved]: true;
}

/** What the caller gives beside the command. */
export interface Permission {
  readonly dangerous: boolean;
  readonly confirmToken?: string | undefined;
  readonly sessionId?: string | undefined;
  /** A token confirms only for whom it was given to. */
  readonly owner?: string | undefined;
  /** Asks the person. */
  readonly ask: (question: string) => Promise<'accepted' | 'declined' | 'unable'>;
  /** It is no command but what a running shell would read. */
  readonly isInput?: boolean;
  /** The highest class that this caller may run, where the setting would allow more. */
  readonly maxClass?: MaxClass | undefined;
}

type MaxClass = Terms['maxClass'];

export interface GateOptions extends JudgeOptions, Terms, TokenOptions {}

/** What classify tells. */
export interface Foretold {
  readonly verdict: Verdict;
  /** Why it would not run as it is, and with "dangerous"; undefined when it would. */
  readonly refusal: ExpectedError | undefined;
  readonly refusalWithDangerous: ExpectedError | undefined;
  readonly confirmToken: string | undefined;
}

const EDITED = { rule: 'edited-line', reason: 'keys have changed the line or fetched another one, so that what would run cannot be read: press ctrl-c, then send the whole line as text' };

export class Gate {
  readonly #options: GateOptions;
  /** By owner: nobody can push another's out. */
  readonly #tokens = new Map<string, Tokens>();
  #judge: Promise<Judge> | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get home(): string {
    return this.#options.home;
  }

  /** Loads what reads shell text; otherwise the first command does. */
  async load(): Promise<void> {
    await this.#loaded();
  }

  /**
   * Lets a command through.
   * @throws ExpectedError FORBIDDEN_COMMAND, DANGEROUS_COMMAND_REQUIRES_OVERRIDE, CONFIRMATION_DECLINED
   */
  async approve(text: string, where: Surroundings, permission: Permission): Promise<ApprovedCommand> {
    const { verdict, readers } = await this.#judged(text, where);
    await this.#admit(text, verdict, where, permission);
    return { text, classification: classificationOf(verdict), remember: verdict.remember, isOverridden: permission.dangerous, readers } as ApprovedCommand;
  }

  /** Lets through what a command is given on its standard input: commands, where shells read it. Throws as approve does. */
  async approveStandardInput(text: string, { readers }: ApprovedCommand, permission: Permission): Promise<void> {
    const [first] = readers;
    if (first === undefined) return;
    const judgements = await Promise.all(readers.map((reader) => this.#judged(text, reader)));
    await this.#admit(text, worst(judgements.map(({ verdict }) => verdict)), first, { ...permission, isInput: true });
  }

  /** Lets the variables through that a session is to start with. Throws as approve does: what a shell runs by itself needs a command that can be confirmed. */
  async approveEnvironment(environment: Surroundings['environment'], { maxClass }: Pick<Permission, 'maxClass'>): Promise<void> {
    if (Object.keys(environment).length === 0) return;
    const names = (await this.#loaded()).codeAtStart(environment);
    if (names.length > 0) throw codeAtStart(names, this.#options.maxClass === 'safe' || maxClass === 'safe');
  }

  /** Lets what is typed into a running shell through, and keeps of it what the next input may continue. Throws as approve does. */
  approveInput(input: TypedInput, typed: Typed, where: Surroundings, permission: Permission): Promise<void> {
    return input.inTurn(() => this.#approveInput(input, typed, where, permission));
  }

  async #approveInput(input: TypedInput, typed: Typed, where: Surroundings, permission: Permission): Promise<void> {
    const judge = await this.#loaded();
    const { scripts, isEdited, line } = input.after(typed);
    const [script] = scripts;
    if (script === undefined) return input.take(line, input.held);
    const surroundings = { ...where, isTyped: true, environment: { ...where.environment, ...input.environment } };
    const whole = input.held + script;
    const places = [...new Set([where.cwd, ...input.directories])].map((cwd) => ({ ...surroundings, cwd }));
    const judgements = await Promise.all([...new Set([whole, ...scripts])].flatMap((text) => places.map((place) => judge.judge(withoutContinuation(text), place))));
    const verdicts = judgements.map(({ verdict }) => verdict);
    const verdict = worst(isEdited ? [...verdicts, { class: 'dangerous', rules: [{ ...EDITED, matched: script.trim() }], remember: {} }] : verdicts);
    await this.#admit(whole, verdict, surroundings, { ...permission, isInput: true });
    input.take(line, isUnfinished(whole, verdicts[0]) ? whole : '');
    input.environment = { ...input.environment, ...verdict.remember };
    input.addDirectories(judgements.flatMap(({ directories }) => directories));
  }

  /** Whether a command of the server's own runs without anybody's further word. */
  async isFree(text: string, where: Surroundings): Promise<boolean> {
    const { verdict } = await this.#judged(text, where);
    return verdict.class === 'safe';
  }

  /** What would become of a command. Nothing is run. */
  async foretell(text: string, where: Surroundings, { sessionId, owner, maxClass }: Pick<Permission, 'sessionId' | 'owner' | 'maxClass'>): Promise<Foretold> {
    const { verdict } = await this.#judged(text, where);
    const needsToken = this.#options.confirm === 'token' && verdict.class === 'dangerous' && this.#options.maxClass !== 'safe' && maxClass !== 'safe';
    const token = needsToken ? this.#tokensOf(owner).give({ text, cwd: where.cwd, sessionId, reasons: reasonsOf(verdict) }) : undefined;
    return { verdict, refusal: this.#refusal(verdict, { dangerous: false, maxClass }), refusalWithDangerous: this.#refusal(verdict, { dangerous: true, maxClass }), confirmToken: token };
  }

  async #judged(text: string, where: Surroundings): Promise<Judgement> {
    return (await this.#loaded()).judge(text, where);
  }

  #loaded(): Promise<Judge> {
    this.#judge ??= import('./judge.ts').then(({ Judge }) => new Judge(this.#options));
    return this.#judge;
  }

  /** What no confirmation can change. */
  #refusal(verdict: Verdict, { dangerous, isInput = false, maxClass }: Pick<Permission, 'dangerous' | 'isInput' | 'maxClass'>): ExpectedError | undefined {
    if (verdict.class === 'safe') return undefined;
    if (verdict.class === 'reject' || this.#options.maxClass === 'safe') return forbidden(verdict);
    if (maxClass === 'safe') return forbidden(verdict, 'the token of this client');
    return dangerous ? undefined : requiresOverride(verdict, this.#options, isInput);
  }

  async #admit(text: string, verdict: Verdict, { cwd }: Surroundings, permission: Permission): Promise<void> {
    const refusal = this.#refusal(verdict, permission);
    if (refusal !== undefined) throw refusal;
    if (verdict.class === 'safe') return;
    switch (this.#options.confirm) {
      case 'flag':
        return;
      case 'token':
        return this.#confirmByToken(text, verdict, cwd, permission);
      case 'ask': {
        const answer = await permission.ask(questionOf(text, cwd, verdict));
        if (answer !== 'accepted') throw notConfirmed(verdict, answer);
      }
    }
  }

  #tokensOf(owner = ''): Tokens {
    const tokens = this.#tokens.get(owner) ?? new Tokens(this.#options);
    this.#tokens.set(owner, tokens);
    return tokens;
  }

  #confirmByToken(text: string, verdict: Verdict, cwd: string, { confirmToken, sessionId, owner, isInput }: Permission): void {
    if (isInput === true) throw requiresOverride(verdict, this.#options, true);
    const fault = confirmToken === undefined ? '' : this.#tokensOf(owner).take(confirmToken, { text, cwd, sessionId, reasons: reasonsOf(verdict) });
    if (fault !== undefined) throw requiresToken(verdict, confirmToken, fault);
  }
}

function reasonsOf({ rules }: Verdict): readonly string[] {
  return rules.map(({ rule, matched }) => `${rule} ${matched}`);
}

/** A last line that goes on: what comes next is judged with it, so that what there is so far need not be whole. */
function withoutContinuation(text: string): string {
  return text.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\\n$/, '\n');
}

/** Whether the shell may read on before it runs this: a quote or a block is open, or the line ends with a backslash. */
function isUnfinished(text: string, verdict: Verdict | undefined): boolean {
  return /\\\n$/.test(text) || verdict?.rules.some(({ rule }) => rule === 'unreadable') === true;
}
