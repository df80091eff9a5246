import { expect, type Locator } from '@playwright/test';

/**
 * Presses a button of the container's question once it accepts input. Retries a click that was
 * ignored because the page moved under the pointer (security rule 7).
 */
export async function choose(question: Locator, answer: 'Allow' | 'Not now'): Promise<void> {
  const button = question.getByRole('button', { name: answer, exact: true });
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(button).toBeHidden({ timeout: 2_000 });
  }).toPass();
}

/** Presses a button once its page enables it (security rule 26). */
export async function press(button: Locator): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.click();
}
