import type { GadgetContext } from '@gantry/wire';
import type { TextStorage } from '../storage.ts';

// "Not now" is kept for this tab only, until it is closed: it is no decision that the proxy stores.

/** Remembers "Not now" for the permissions that the app needs, or for `names`. */
export function rememberNotNow(gadget: Asker, names: readonly string[] = ['needed']): void {
  try {
    gadget.texts().setItem(keyOf(gadget), JSON.stringify([...new Set([...read(gadget), ...names])]));
  } catch {
    // storage is denied or full: the member is asked again
  }
}

/** Returns true if the member chose "Not now" for one of `names`. */
export function wasNotNow(gadget: Asker, names: readonly string[] = ['needed']): boolean {
  const later = read(gadget);
  return names.some((name) => later.includes(name));
}

function read(gadget: Asker): readonly string[] {
  try {
    const stored: unknown = JSON.parse(gadget.texts().getItem(keyOf(gadget)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function keyOf({ upstream, context: { viewer, app } }: Asker): string {
  return `gantry later ${JSON.stringify([upstream, viewer, app.id])}`;
}

/** Part of a gadget that identifies app and viewer. */
interface Asker {
  readonly upstream: string;
  readonly context: GadgetContext;
  texts(): TextStorage;
}
