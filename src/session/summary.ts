// What a list shows of a session.
import type { SessionSummary } from './api.ts';
import type { Session } from './session.ts';

export function summaryOf(session: Session): SessionSummary {
  return {
    sessionId: session.options.id,
    name: session.options.name,
    shell: session.options.shell.name,
    state: session.state,
    cwd: session.cwd,
    ...(session.current === undefined ? {} : { command: session.current.text }),
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    envCount: session.shellState?.exported.size ?? 0,
    commandsRun: session.commandsRun,
  };
}
