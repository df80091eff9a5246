import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { idleRenderers } from './e2e/idle-renderers.ts';

// Those that Playwright switches off itself, whose list this one replaces, and ours.
const switchedOff = [
  ...idleRenderers,
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: join(import.meta.dirname, 'e2e/demo-data-setup.ts'), // `gallery.config.mjs` lies elsewhere
  outputDir: 'test-results',
  timeout: 30_000,
  expect: { timeout: 10_000 }, // five seconds, the default, are too little on a busy machine
  workers: 3, // scenarios wait for a third of their time; two cores have room for one more
  fullyParallel: false,
  forbidOnly: true,
  retries: 0, // a flaky test is mended, not repeated
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // A click lands where its target was when it was sent: nothing may still be on its way to its place then. Nor may axe
    // see half-faded text.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${switchedOff.join()}`,
      ],
    },
  },
});
