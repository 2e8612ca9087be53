// A session for who looks on: what its terminal has shown and shows now. Looking is not reading: nothing counts as told, nobody is
// waited for, and those who are told of changes are not told of it, or their looks would go round and round.
import { renderTail } from '../output/render.ts';
import type { Session } from './session.ts';

export type SessionView = 'transcript' | 'screen';

/** What is to be seen, as text; of a transcript the end, about `maxBytes` of it. */
export async function lookAt(session: Session, view: SessionView, maxBytes: number): Promise<string> {
  if (view === 'screen') return (await session.terminal.view()).text;
  return renderTail(session.transcript, { maxBytes, terminal: true, finished: session.current === undefined });
}

/** Calls the listener when there is something else to be seen, and at the end of the session, until the returned function is called. */
export function watchView(session: Session, listener: () => void): () => void {
  let seen = seenIn(session);
  return session.changes.listen(() => {
    const now = seenIn(session);
    if (now === seen && !session.isClosed) return; // somebody waits, and is told what for
    seen = now;
    listener();
  });
}

/** Another one when a view is: also the end of a program that had the screen changes that. */
function seenIn({ transcript, state }: Session): string {
  return `${transcript.length} ${state}`;
}
