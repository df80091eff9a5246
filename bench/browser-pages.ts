import { type Browser, chromium, type Page } from '@playwright/test';

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.GANTRY_CHROMIUM;
  return chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
}

/** Measures on a page in a profile of its own. */
export async function onPage(browser: Browser, measure: (page: Page) => Promise<number>): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
}
