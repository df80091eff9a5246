import { defineConfig } from '@playwright/test';
import own from '../playwright.config.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*/*.spec.ts',
  outputDir: '../test-results/examples',
  timeout: 180_000,
  expect: { timeout: 30_000 }, // a page of an example that is compiled, or on a busy machine
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  ...(own.use && { use: own.use }),
});
