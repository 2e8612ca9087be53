// A whole server in the process of the test: calls of any owner take the way of all calls, without a connection.
import { App } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load.ts';
import type { SettingKey } from '../../src/config/schema.ts';
import { callTool, type CallResult } from '../../src/tools/call.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import type { CallContext, Services } from '../../src/tools/services.ts';
import type { Tool } from '../../src/tools/tool.ts';
import type { Facts } from './harness.ts';
import { Home } from './home.ts';
import { removeAtEnd } from './leftovers.ts';

export type Flags = Partial<Record<SettingKey, string>>;

export class TestApp {
  readonly app: App;
  readonly tools: readonly Tool[];
  readonly home: Home;

  private constructor(app: App, tools: readonly Tool[], home: Home) {
    this.app = app;
    this.tools = tools;
    this.home = home;
  }

  static async start(flags: Flags = {}): Promise<TestApp> {
    const home = new Home();
    removeAtEnd(home.root);
    const place = { home: home.dir, startDirectory: home.dir, env: home.environment() };
    const loaded = await loadSettings({ ...place, flags, configPath: undefined });
    return new TestApp(new App({ ...place, ...loaded, log: () => {} }), catalogue(loaded.settings), home);
  }

  services(): Promise<Services> {
    return this.app.services();
  }

  call(owner: string, name: string, args: unknown = {}, more: Partial<CallContext> = {}): Promise<CallResult> {
    const context = { owner, connection: `connection of ${owner}`, signal: new AbortController().signal, roots: () => Promise.resolve([]), ...more };
    return callTool({ tools: this.tools, name, arguments: args, context, audit: () => this.app.audit(), services: () => this.app.services(), log: () => {} });
  }

  /** Of a call that must not answer with an error. */
  async facts(owner: string, name: string, args: unknown = {}, more: Partial<CallContext> = {}): Promise<Facts> {
    const { structured, text, isError } = await this.call(owner, name, args, more);
    if (isError) throw new Error(`${name} answered ${text}`);
    return structured;
  }

  async code(owner: string, name: string, args: unknown = {}, more: Partial<CallContext> = {}): Promise<string | undefined> {
    const { error } = (await this.call(owner, name, args, more)).structured as Facts;
    return error?.code;
  }

  close(): Promise<void> {
    return this.app.shutdown();
  }
}
