// Tests start real processes: separate worker processes, two at most, and time enough for a busy machine.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // real processes on a shared machine: one that was starved of time gets a second chance there, and the log says so
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leftovers.setup.ts'],
  },
});
