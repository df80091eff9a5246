import { defineConfig } from '@playwright/test';
import own from '../playwright.config.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*/*.spec.ts',
  outputDir: '../test-results/examples',
  timeout: 60_000,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  ...(own.use && { use: own.use }),
});
