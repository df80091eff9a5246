import { configDefaults, defineConfig } from 'vitest/config';

const pages = 'packages/{bridge,container,osapi}/test/**/*.test.ts';

export default defineConfig({
  resolve: { conditions: ['@gantry/source'] },
  ssr: { resolve: { conditions: ['@gantry/source', 'node'] } },
  test: {
    globalSetup: 'packages/store/test/postgres-setup.ts',
    setupFiles: 'packages/store/test/postgres-hooks.ts',
    maxWorkers: 3, // tests wait for processes, disks and databases for a third of their time; two cores have room for one more
    testTimeout: 300_000, // no test asserts speed, and machines differ
    hookTimeout: 300_000,
    projects: [
      // A page's timers outlive its test, and would run in those of the next file, which may have
      // made time its own.
      {
        extends: true,
        test: { name: 'pages', include: [pages], isolate: true },
      },
      // Files share a worker: starting one for each took a tenth of all.
      {
        extends: true,
        test: {
          name: 'servers',
          include: [
            ...['packages/*/test/**/*.test.ts', '{demo,bench,scripts}/test/**/*.test.ts'],
            ...(process.env.GANTRY_TEST_POOLER ? ['packages/store/test/through.pooler.ts'] : []),
          ],
          exclude: [...configDefaults.exclude, pages],
          isolate: false,
        },
      },
    ],
    expect: { poll: { timeout: 60_000 } }, // a second, the default, is too little for a browser on a busy machine
  },
});
