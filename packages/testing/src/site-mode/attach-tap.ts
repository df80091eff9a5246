import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Sighting } from './read-port.ts';
import { createTapReader } from './read-tap.ts';
import type { TapDelivery, TapSettings } from './tap-protocol.ts';

export interface Tap {
  /** Name of the function that takes deliveries. */
  readonly name: string;
  /** Resolves when all messages so far were delivered. */
  pull(): Promise<void>;
}

/**
 * Listens to the bridge ports of a page's top document, from its next navigation on.
 *
 * @param options.onSighting Called with each observation.
 * @param options.onLeftOut Called with the number of messages that could not be delivered.
 */
export async function attachTap(
  page: Page,
  options: { readonly onSighting: (sighting: Sighting) => void; readonly onLeftOut?: (count: number) => void },
): Promise<Tap> {
  const { onSighting, onLeftOut } = options;
  const settings: TapSettings = { name: `gantry${randomBytes(12).toString('hex')}` };
  const reader = createTapReader();
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();

  // The function exists in every frame for a moment. The tap removes it before scripts of the frame
  // run; what a frame sends in another way is dropped, since Playwright says from which one a call
  // came.
  await page.exposeBinding(settings.name, ({ frame }, text: unknown) => {
    if (frame !== page.mainFrame() || typeof text !== 'string') return;
    const delivery = JSON.parse(text) as TapDelivery;
    for (const sighting of reader.read(delivery)) onSighting(sighting);
    if (delivery.leftOut > 0) onLeftOut?.(delivery.leftOut);
    counts.set(delivery.document, delivery.count);
    for (const check of waiting) check();
  });
  await page.addInitScript(`(() => {\nconst gantryTapSettings = ${JSON.stringify(settings)};\n${readTap()}\n})();`);

  return {
    name: settings.name,
    async pull() {
      const answer = await page.evaluate(askForDelivery, settings.name);
      const { document, count = 0 } = answer;
      if (document === undefined || (counts.get(document) ?? 0) >= count) return;
      await new Promise<void>((resolve) => {
        const check = (): void => {
          if ((counts.get(document) ?? 0) < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
      });
    },
  };
}

/** Runs in the page. */
function askForDelivery(name: string): { readonly document?: string; readonly count?: number } {
  const detail = {};
  window.dispatchEvent(new CustomEvent(name, { detail }));
  return detail;
}

function readTap(): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'dist', 'tap-script', 'tap.js'), 'utf8');
}
