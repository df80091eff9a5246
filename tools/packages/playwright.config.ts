import { defineConfig } from '@playwright/test';
import browserTests from '../../playwright.config.ts';

// Run by scripts/packages.mjs, which packs and installs first.
export default defineConfig({
  ...browserTests,
  testDir: '.',
  outputDir: '../../test-results/packages',
  timeout: 180_000,
  fullyParallel: true,
});
