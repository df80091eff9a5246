import type { Lab } from '@gantry/lab';
import { expect, type Locator } from '@playwright/test';
import { whyNotShown } from './matchers/shown.ts';
import type { Consent, Gadget } from './types.ts';

const limitMs = 10_000;
const pressMs = 2_000;

/** Makes the decisions of a member on consent, in the container's own card and dialogs. */
export function createConsent(gadget: Gadget, lab: Pick<Lab, 'apps'>): Consent {
  const { page, element } = gadget;
  const card = element.locator('.consent');
  // The asker stands above the title of what an app says in its own name, which asks for nothing.
  const dialog = page.locator('gantry-dialog dialog:not(:has(#asker))');
  const question = card.or(dialog);

  /** @throws Error that says what is shown instead of a question. */
  async function requireQuestion(): Promise<void> {
    const isAsked =
      gadget.app !== '' &&
      (await expect(question)
        .toBeVisible()
        .then(
          () => true,
          () => false,
        ));
    if (isAsked) return;
    const card = element.locator('[part~="card"]');
    const state =
      (await whyNotShown(gadget, { on: 'card' })) ?? `Its card: ${await card.innerText({ timeout: pressMs })}`;
    throw new Error(`No gadget asks for permissions. ${state}`);
  }

  /** Resolves with the buttons of the question: harmless ones first, as displayed. */
  async function asked(): Promise<{ readonly buttons: Locator; readonly isCard: boolean }> {
    await requireQuestion();
    const isCard = await card.isVisible();
    if (isCard && (await card.getByRole('button').count()) === 1) await press(card.getByRole('button'));
    return { buttons: isCard ? card.getByRole('button') : dialog.locator('.actions button'), isCard };
  }

  async function allow(): Promise<void> {
    const { buttons, isCard } = await asked();
    await answer(buttons.last());
    if (isCard) await expect(card).toBeHidden({ timeout: limitMs });
    await expect.poll(stateOf, { timeout: limitMs, message: 'the gadget starts' }).toBe('ready');
  }

  async function refuse(): Promise<void> {
    const { buttons, isCard } = await asked();
    if (isCard) await press(buttons.first());
    else await answer(buttons.first());
    if (isCard) await expect(card.getByRole('button'), 'the app waits').toHaveCount(1);
  }

  async function withdraw(permission: string): Promise<void> {
    const hidden = await whyNotShown(gadget, { on: 'either' });
    if (hidden) throw new Error(hidden);
    if (await isAsking()) throw new Error(`${gadget.app} still asks for permissions: there is none to withdraw.`);
    const app = (await lab.apps()).find(({ id }) => id === gadget.app);
    const place = app?.permissions.indexOf(permission) ?? -1;
    if (place < 0) {
      throw new Error(`${gadget.app} does not declare ${permission}; it declares ${app?.permissions.join(', ')}.`);
    }
    await expect(async () => {
      await element.locator('[part~="options"]').press('Enter'); // without a heading it appears on hover or focus only
      await element.locator('[part~="permissions"]').press('Enter', { timeout: pressMs });
      await expect(dialog).toBeVisible({ timeout: pressMs });
    }).toPass({ timeout: limitMs });
    // Required ones are listed first, and are taken back together; each of the others has a box.
    const optional = place - (await dialog.getByRole('listitem').count());
    if (optional < 0) await answer(dialog.locator('.actions button').nth(1));
    else {
      const box = dialog.getByRole('checkbox').nth(optional);
      await expect(async () => {
        await ready(dialog.locator('.actions button').last());
        await box.uncheck({ timeout: pressMs });
      }).toPass({ timeout: limitMs });
      await answer(dialog.locator('.actions button').last());
    }
    const message = `${permission} is taken back`;
    await expect
      .poll(async () => (await isAsking()) || !(await permissions()).includes(permission), {
        timeout: limitMs,
        message,
      })
      .toBe(true);
  }

  const stateOf = (): Promise<unknown> => element.evaluate((shown) => (shown as { state?: unknown }).state);
  const isAsking = async (): Promise<boolean> => (await stateOf()) === 'asking';

  async function permissions(): Promise<readonly unknown[]> {
    const { permissions: named } = (await gadget.context()) ?? {};
    return Array.isArray(named) ? named : [];
  }

  return { allow, refuse, withdraw, of: (other) => createConsent(other, lab) };
}

/** Presses a button of the container once it takes input, half a second after the question. */
async function press(button: Locator): Promise<void> {
  await ready(button);
  await button.click({ timeout: pressMs });
}

async function ready(button: Locator): Promise<void> {
  await expect(button, 'a question that takes presses').toHaveAttribute('aria-disabled', 'false', { timeout: limitMs });
}

/** Presses until the question is gone: a press is ignored if the page moved under the pointer. */
async function answer(button: Locator): Promise<void> {
  const handle = await button.elementHandle({ timeout: limitMs });
  await expect(async () => {
    if (await handle?.isVisible()) await press(button);
    await expect(button).toBeHidden({ timeout: pressMs });
  }).toPass({ timeout: limitMs });
}
