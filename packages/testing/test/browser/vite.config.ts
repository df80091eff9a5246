import { gantry } from '@gantry/testing/vitest';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

/**
 * Whole gadgets in Vitest's page:
 * `vitest run --config packages/testing/test/browser/vite.config.ts`.
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@gantry/source'] },
  plugins: [
    gantry({
      apps: ['tally', 'prober'],
      world: () => ({
        site: { name: 'Regatta' },
        members: [
          { id: 'skipper', displayName: 'Ines' },
          { id: 'mate', displayName: 'Olu' },
        ],
        friendships: [['skipper', 'mate']],
      }),
    }),
  ],
  test: {
    include: ['*-test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          args: ['--no-sandbox'],
          ...(process.env.GANTRY_CHROMIUM && { executablePath: process.env.GANTRY_CHROMIUM }),
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
