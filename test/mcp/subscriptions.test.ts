// Notices over time, with a clock of the test's own.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Notifier } from '../../src/lib/notifier.ts';
import { Subscriptions } from '../../src/mcp/subscriptions.ts';
import type { Services } from '../../src/tools/services.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A table of things that change when a test says so. */
class Table {
  readonly things = new Map<string, Notifier>();
  readonly listeners = new Set<() => void>();
  readonly changes = new Notifier();

  add(id: string): Notifier {
    const notifier = new Notifier();
    this.things.set(id, notifier);
    return notifier;
  }

  has(_: string, id: string): boolean {
    return this.things.has(id);
  }

  watch(_: string, id: string, listener: () => void): () => void {
    const stop = this.things.get(id)?.listen(listener);
    if (stop === undefined) throw new Error(`no ${id}`);
    return this.#counted(listener, stop);
  }

  onListChange(_: string, listener: () => void): () => void {
    return this.#counted(listener, this.changes.listen(listener));
  }

  #counted(listener: () => void, stop: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      stop();
      this.listeners.delete(listener);
    };
  }
}

function setUp() {
  const [sessions, tasks] = [new Table(), new Table()];
  const told: string[] = [];
  const subscriptions = new Subscriptions('local', { listChanged: () => told.push('list'), updated: (uri) => told.push(uri) });
  return { sessions, tasks, told, subscriptions, services: { sessions, tasks } as unknown as Services };
}

const SCREEN = 'shellkeep://sessions/s/screen';
const OUTPUT = 'shellkeep://tasks/t/output';

test('under a flood of changes there are two notices a second, and one after the last change', () => {
  const { sessions, told, subscriptions, services } = setUp();
  const session = sessions.add('s');
  subscriptions.add(services, { kind: 'screen', id: 's' });
  for (let ms = 0; ms < 10_000; ms++) {
    session.notify();
    vi.advanceTimersByTime(1);
  }
  expect(told.length).toBeGreaterThanOrEqual(19);
  expect(told.length).toBeLessThanOrEqual(20);
  const before = told.length;
  session.notify();
  vi.advanceTimersByTime(10_000);
  expect(told.length).toBe(before + 1);
  expect(vi.getTimerCount()).toBe(0);
});

test('each resource has its own notices, and one that is subscribed to twice is told of once', () => {
  const { sessions, tasks, told, subscriptions, services } = setUp();
  const [session, task] = [sessions.add('s'), tasks.add('t')];
  subscriptions.add(services, { kind: 'screen', id: 's' });
  subscriptions.add(services, { kind: 'screen', id: 's' });
  subscriptions.add(services, { kind: 'output', id: 't' });
  session.notify();
  vi.advanceTimersByTime(500);
  expect(told).toEqual([SCREEN]);
  task.notify();
  vi.advanceTimersByTime(500);
  expect(told).toEqual([SCREEN, OUTPUT]);
});

test('what is gone is told of once more, and leaves nothing behind', () => {
  const { tasks, told, subscriptions, services } = setUp();
  const task = tasks.add('t');
  subscriptions.add(services, { kind: 'output', id: 't' });
  tasks.things.delete('t');
  task.notify();
  expect(tasks.listeners.size).toBe(1);
  vi.advanceTimersByTime(500);
  expect([told, tasks.listeners.size, vi.getTimerCount()]).toEqual([[OUTPUT], 0, 0]);
  tasks.add('t');
  subscriptions.add(services, { kind: 'output', id: 't' });
  expect(tasks.listeners.size).toBe(1);
});

test('after an unsubscription nothing is told, not even what was due; unsubscribing from anything is fine', () => {
  const { sessions, told, subscriptions, services } = setUp();
  const session = sessions.add('s');
  subscriptions.add(services, { kind: 'screen', id: 's' });
  session.notify();
  subscriptions.remove(SCREEN);
  subscriptions.remove(SCREEN);
  subscriptions.remove('x'.repeat(10_000));
  session.notify();
  vi.advanceTimersByTime(5_000);
  expect([told, sessions.listeners.size]).toEqual([[], 0]);
});

test('what cannot be subscribed to leaves nothing behind', () => {
  const { sessions, subscriptions, services } = setUp();
  expect(() => subscriptions.add(services, { kind: 'screen', id: 's' })).toThrow('no s');
  sessions.add('s');
  subscriptions.add(services, { kind: 'screen', id: 's' });
  expect(sessions.listeners.size).toBe(1);
});

test('changes of both lists are one notice, however often the services come', () => {
  const { sessions, tasks, told, subscriptions, services } = setUp();
  subscriptions.follow(services);
  subscriptions.follow(services);
  sessions.changes.notify();
  tasks.changes.notify();
  vi.advanceTimersByTime(5_000);
  expect([told, sessions.listeners.size]).toEqual([['list'], 1]);
});

test('the end of the connection takes everything with it, and what comes later too', () => {
  const { sessions, tasks, told, subscriptions, services } = setUp();
  const [session, task] = [sessions.add('s'), tasks.add('t')];
  subscriptions.follow(services);
  subscriptions.add(services, { kind: 'screen', id: 's' });
  subscriptions.add(services, { kind: 'transcript', id: 's' });
  subscriptions.add(services, { kind: 'output', id: 't' });
  for (const changes of [session, task, sessions.changes]) changes.notify();
  subscriptions.close();
  subscriptions.add(services, { kind: 'output', id: 't' });
  subscriptions.follow(services);
  vi.advanceTimersByTime(5_000);
  expect([told, sessions.listeners.size, tasks.listeners.size, vi.getTimerCount()]).toEqual([[], 0, 0, 0]);
});

test('a connection that ends before the services are there follows nothing', () => {
  const { sessions, subscriptions, services } = setUp();
  subscriptions.close();
  subscriptions.follow(services);
  expect(sessions.listeners.size).toBe(0);
});
