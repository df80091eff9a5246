import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import usual from '../../playwright.config.ts';

/** The proof that tests with the kit do not fail now and then. Each test runs in whichever worker is free. */
export default defineConfig(usual, {
  testDir: import.meta.dirname,
  testMatch: '*.proof.ts',
  globalSetup: [],
  outputDir: join(import.meta.dirname, '../../test-results/proof'),
  fullyParallel: true,
});
