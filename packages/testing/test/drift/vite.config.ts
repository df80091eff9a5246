import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The drift test by itself: `vitest run --config packages/testing/test/drift/vite.config.ts`. */
export default defineConfig({
  root,
  resolve: { conditions: ['@gantry/source'] },
  ssr: { resolve: { conditions: ['@gantry/source', 'node'] } },
  test: {
    globalSetup: 'packages/store/test/postgres-setup.ts',
    include: ['packages/testing/test/drift/drift-test.ts'],
    testTimeout: 60_000, // tests wait for their turn
    hookTimeout: 60_000,
  },
});
