// How long a first look at the machine takes, when nothing is known of it yet.
import { connect } from '../lib/connect.mjs';
import { makeHome, median, timed } from './measure.mjs';

const ROUNDS = 8;

export const discovery = {
  check_env_cold: { measure: checkEnvCold },
};

/** The first call of a server: with the loading of what it needs, and every shell asked for its version. */
async function checkEnvCold(report) {
  const home = makeHome();
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await connect({ env: home.env });
    await server.client.listTools();
    const time = await timed(() => server.facts('check_env'));
    await server.close();
    if (round > 0) times.push(time); // the disk's cache is cold
  }
  home.remove();
  report('check_env_cold', { value: median(times), unit: 'ms', atMost: 300 });
}
