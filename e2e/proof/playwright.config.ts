import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import usual from '../../playwright.config.ts';

const { projects: _, ...options } = usual;

/** Configuration that finds flaky tests of the kit: each test runs in any free worker. */
export default defineConfig({
  ...options,
  testDir: import.meta.dirname,
  testMatch: '*.proof.ts',
  globalSetup: [],
  outputDir: join(import.meta.dirname, '../../test-results/proof'),
  fullyParallel: true,
});
