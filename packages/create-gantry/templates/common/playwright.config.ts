import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'test',
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: process.env.GANTRY_DEV_URL, // what webServer said
    browserName: 'chromium',
    launchOptions: { executablePath: process.env.GANTRY_CHROMIUM }, // absent: Playwright's own
  },
  webServer: {
    command: 'node node_modules/@gantry/cli/bin/gantry.js dev --port 0', // the same with each package manager
    wait: { stdout: /Gantry dev ready at (?<gantry_dev_url>http:\/\/127\.0\.0\.1:\d+)/ },
  },
});
