import base from '../playwright.config.ts';

/** Configuration for `gallery.mjs`: pictures for people, which no test compares. */
export default {
  ...base,
  projects: undefined,
  testDir: '../e2e',
  testMatch: 'gallery.ts',
  outputDir: '../test-results/gallery',
  timeout: 120_000,
  workers: 1,
};
