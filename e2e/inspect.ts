import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const looks = [
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
] as const;

/** Looks at a page as others see it: small and light, wide and dark, each with an automatic check for what shuts people out. */
export async function inspect(page: Page, name: string): Promise<void> {
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations, `${name}, ${colorScheme}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  }
  await page.emulateMedia({ colorScheme: null });
}
