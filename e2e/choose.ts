import { expect, type Locator } from '@playwright/test';

/**
 * Chooses an answer to what the container asks, when the question takes presses: again, if the page moved under the pointer
 * just then, so that the click did not count (security rule 7).
 */
export async function choose(question: Locator, answer: 'Allow' | 'Not now'): Promise<void> {
  const button = question.getByRole('button', { name: answer, exact: true });
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(button).toBeHidden({ timeout: 2_000 });
  }).toPass();
}

/** Presses a button that its page holds back at first, when it is ready (security rule 26). */
export async function press(button: Locator): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.click();
}
