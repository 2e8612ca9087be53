// Services that remember what they were asked and answer with samples, for tests of the tools alone.
import type { Caller } from '../../src/audit/call-record.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { loadSettings } from '../../src/config/load.ts';
import type { CallContext, Services } from '../../src/tools/services.ts';
import { callTool, type CallResult } from '../../src/tools/call.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import type { SettingKey } from '../../src/config/schema.ts';
import { approve } from '../support/approved.ts';
import { memoryTrail, type MemoryTrail } from '../support/memory-trail.ts';
import { AUDIT_PAGE, COMMAND_REPORT, CREATED, DESTROYED, FORETOLD, LOCATED, MACHINE, RUN_RESULT, SPAWNED, STATUS, SUMMARY, TASK_REPORT, TASK_SUMMARY } from './samples.ts';

export async function settingsWith(flags: Partial<Record<SettingKey, string>> = {}) {
  const { settings } = await loadSettings({ flags, env: {}, configPath: undefined, home: '/home/u', startDirectory: '/home/u/app' });
  return settings;
}

export const settings = await settingsWith();
export const tools = catalogue(settings);

export interface Asked {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** The answers by method, or functions that give them; a test replaces some. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  'runner.run': RUN_RESULT,
  'runner.shell': { name: 'bash', path: '/bin/bash' },
  'tasks.shell': { name: 'bash', path: '/bin/bash' },
  'sessions.surroundings': { shell: 'bash', cwd: '/home/u/app', environment: {} },
  'gate.foretell': FORETOLD,
  'sessions.create': CREATED,
  'sessions.run': COMMAND_REPORT,
  'sessions.send': COMMAND_REPORT,
  'sessions.read': COMMAND_REPORT,
  'sessions.interrupt': COMMAND_REPORT,
  'sessions.list': [SUMMARY],
  'sessions.destroy': DESTROYED,
  'sessions.beside': { cwd: '/home/u/app', startedIn: '/home/u', env: { A: 'session', PATH: '/bin' }, umask: 0o27 },
  'sessions.words': { shell: 'bash', shellPath: '/bin/bash', cwd: '/home/u/app', path: '/bin', aliases: [], functions: [], options: [] },
  'discovery.machine': MACHINE,
  'discovery.binaries': [LOCATED, { name: 'rg' }],
  'discovery.which': LOCATED,
  'discovery.whichIn': { name: 'll', kind: 'alias' },
  'services.status': STATUS,
  'tasks.spawn': SPAWNED,
  'tasks.list': [TASK_SUMMARY],
  'tasks.poll': TASK_REPORT,
  'tasks.wait': { tasks: [TASK_REPORT], timedOut: true },
  'tasks.write': { bytes: 3 },
  'audit.read': AUDIT_PAGE,
  'roots.resolve': { path: '/real', roots: ['/real'], warnings: [] },
  'roots.defaultDirectory': { path: '/default', roots: ['/default'], warnings: [] },
  'roots.standing': { path: '/home/u/app', roots: ['/home/u'], warnings: [], isAllowed: true },
};

export class Double {
  readonly asked: Asked[] = [];
  readonly logged: string[] = [];
  /** What the audit log was told. */
  readonly audit: MemoryTrail;
  readonly #answers: Record<string, unknown>;

  constructor(answers: Readonly<Record<string, unknown>> = {}, refuse?: (entry: AuditEntry) => void) {
    this.audit = memoryTrail(refuse);
    this.#answers = { ...ANSWERS, ...answers };
  }

  /** What a service was asked, by method. */
  argsOf(method: string): readonly unknown[] {
    const asked = this.asked.find((each) => each.method === method);
    if (asked === undefined) throw new Error(`${method} was not asked; asked: ${this.asked.map((each) => each.method).join(', ')}`);
    return asked.args;
  }

  async call(name: string, args: unknown = {}, context: Partial<Omit<CallContext, 'record'>> = {}, client?: Caller['client']): Promise<CallResult> {
    return callTool({
      tools,
      name,
      arguments: args,
      services: () => Promise.resolve(this.#services()),
      audit: () => Promise.resolve(this.audit.trail),
      context: { owner: 'local', connection: 'stdio', signal: new AbortController().signal, roots: () => Promise.resolve([]), ...context },
      client,
      log: (message) => this.logged.push(message),
    });
  }

  /** What a call answers, without the id of its audit entry: that is in every answer, and the subject of one test. */
  async answer(name: string, args: unknown): Promise<{ structured: Record<string, unknown>; text: string }> {
    const { structured, text } = await this.call(name, args);
    const { audit_id: auditId, ...rest } = JSON.parse(JSON.stringify(structured)) as Record<string, unknown>;
    return { structured: rest, text: text.replace(` · ${String(auditId)}]`, ']') };
  }

  #services(): Services {
    const service = (name: string) =>
      new Proxy({}, { get: (_, method) => (method === 'then' ? undefined : (...args: unknown[]) => this.#answer(`${name}.${String(method)}`, args)) }); // one that is no promise
    const gate = { home: '/home/u', load: () => Promise.resolve(), approve: (text: string) => Promise.resolve(approve(text)), approveInput: () => Promise.resolve(), approveStandardInput: () => Promise.resolve(), approveEnvironment: () => Promise.resolve(), foretell: (...args: unknown[]) => this.#answer('gate.foretell', args) };
    const looks = { discovery: () => Promise.resolve(service('discovery')), status: (owner: string) => Promise.resolve(this.#answer('services.status', [owner])) };
    const fakes = { settings, gate, ...looks, baseEnvironment: { PATH: '/bin', A: 'server' }, ...Object.fromEntries(['roots', 'sessions', 'tasks', 'runner', 'audit'].map((name) => [name, service(name)])) };
    return fakes as unknown as Services;
  }

  #answer(method: string, args: unknown[]): unknown {
    this.asked.push({ method, args });
    const answer = this.#answers[method];
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? (answer as (...given: unknown[]) => unknown)(...args) : answer;
  }
}
