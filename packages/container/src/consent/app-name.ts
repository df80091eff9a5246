import { isolatedName } from '@gantry/wire';
import type { Gadget } from '../gadget.ts';

/** Returns an app's title for a question, with its id if another app of the page has that title. */
export function appName({ apps, context: { app } }: Pick<Gadget, 'apps' | 'context'>): string {
  const isTwin = apps().some(({ id, title }) => id !== app.id && alike(title) === alike(app.title));
  return isTwin ? `${isolatedName(app.title)} (${app.id})` : app.title;
}

// As they look: "Chess" and "CHESS " would be mistaken for each other.
function alike(title: string): string {
  return isolatedName(title).normalize('NFKC').toLowerCase().trim();
}
