// A server of its own for one figure, so that its peak of memory is this figure's.
import { connect } from '../lib/connect.mjs';
import { makeHome } from './measure.mjs';

/**
 * @template T
 * @param {(peers: { home: ReturnType<typeof makeHome>, server: Awaited<ReturnType<typeof connect>> }) => Promise<T>} use
 * @param {readonly string[]} [flags]
 */
export async function withServer(use, flags = []) {
  const home = makeHome();
  const server = await connect({ args: ['stdio', ...flags], env: home.env });
  try {
    return await use({ home, server });
  } finally {
    await server.close();
    home.remove();
  }
}
