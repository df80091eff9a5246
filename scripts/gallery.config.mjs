import base from '../playwright.config.ts';

/** For `gallery.mjs`: pictures to look at, which no test compares. */
export default {
  ...base,
  testDir: '../e2e',
  testMatch: 'gallery.ts',
  outputDir: '../test-results/gallery',
  timeout: 120_000,
  workers: 1,
};
