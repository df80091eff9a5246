import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@gantry/source'] },
  ssr: { resolve: { conditions: ['@gantry/source'] } },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'demo/test/**/*.test.ts',
      'bench/test/**/*.test.ts',
      'scripts/test/**/*.test.ts',
    ],
    globalSetup: 'packages/store/test/postgres-setup.ts',
    setupFiles: 'packages/store/test/postgres-hooks.ts',
    isolate: false, // files share a worker: starting one for each took a tenth of all
    maxWorkers: 2, // a machine with two cores would use one
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } }, // a second, the default, is too little for a browser on a busy machine
  },
});
