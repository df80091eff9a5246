import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Presses a button of the container's question once it accepts input. Retries a click that was
 * ignored because the page moved under the pointer (security rule 7).
 */
export async function choose(question: Locator, answer: 'Allow' | 'Allow all' | 'Not now'): Promise<void> {
  const button = question.getByRole('button', { name: answer, exact: true });
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(button).toBeHidden({ timeout: 2_000 });
  }).toPass();
}

/** Allows the apps that ask in one question of a page, once `count` gadgets wait for it. */
export async function allowAll(page: Page, count: number): Promise<void> {
  const reviews = page.getByRole('button', { name: 'Review' });
  await expect(reviews).toHaveCount(count);
  await press(reviews.first());
  await choose(page.getByRole('dialog'), 'Allow all');
}

/** Presses a button once its page enables it (security rule 26). */
export async function press(button: Locator): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.click();
}
