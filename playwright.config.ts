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

// The headless shell starts and paints at two thirds of the whole browser's cost. It keeps no page
// for the back button, resolves names and opens windows otherwise: these need the whole browser.
const wholeBrowser = [
  '**/e2e/{account-framed,focus-pointer,hostile-names,page-faults,start-problems,suspended}.spec.ts',
  '**/e2e/dev/terminal.spec.ts',
];
const { GANTRY_CHROMIUM: whole = '/usr/bin/chromium', GANTRY_HEADLESS_SHELL: shell = whole } = process.env;
const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${switchedOff.join()}`,
];

const sitePerProcess = [...args, '--site-per-process']; // the whole browser's default
const inShell = { launchOptions: { executablePath: shell, args: sitePerProcess } };

// These run whole projects and servers of their own. They begin first, so that no worker is left
// with one at the end.
const longest = '**/e2e/{testing,dev}/**/*.spec.ts';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: join(import.meta.dirname, 'e2e/demo-data-setup.ts'), // `gallery.config.mjs` lies elsewhere
  outputDir: 'test-results',
  // Node strips types itself, and keeps what it compiled for all processes of a run. With
  // Playwright's own compiler it takes twice the time until the first test begins.
  build: { external: ['**/{packages,demo,e2e}/**'] },
  timeout: 180_000, // no test asserts speed, and machines differ
  expect: { timeout: 30_000 }, // five seconds, the default, are too little on a busy machine
  workers: 3, // scenarios wait for a third of their time; two cores have room for one more
  fullyParallel: false,
  forbidOnly: true,
  retries: 0, // a flaky test is mended, not repeated
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // A click lands where its target was when it was sent: nothing may still be on its way to its
    // place then. Nor may axe see half-faded text.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: whole, args },
  },
  projects: [
    { name: 'longest', testMatch: longest, testIgnore: wholeBrowser, use: inShell },
    { name: 'whole browser', testMatch: wholeBrowser },
    { name: 'headless shell', testIgnore: [longest, ...wholeBrowser], use: inShell },
  ],
});
