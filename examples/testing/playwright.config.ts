import type { GantryOptions } from '@gantry/testing';
import { defineConfig } from '@playwright/test';

export default defineConfig<GantryOptions>({
  testDir: 'tests',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0,
  reporter: process.env.CI ? [['list'], ['blob']] : 'list',
  use: {
    apps: ['harbour'],
    browserName: 'chromium',
    launchOptions: process.env.GANTRY_CHROMIUM ? { executablePath: process.env.GANTRY_CHROMIUM } : {},
  },
});
