import type { Gadget } from '../gadget.ts';

// "Not now" is for this tab until it is closed: it is no decision, so the proxy does not know of it.

/** Remembers that the member did not want to decide now about what the app needs, or about `names`. */
export function rememberLater(gadget: Gadget, names: readonly string[] = ['needed']): void {
  try {
    gadget.texts().setItem(keyOf(gadget), JSON.stringify([...new Set([...read(gadget), ...names])]));
  } catch {
    // denied or full: the member is asked again
  }
}

/** True if the member did not want to decide about one of `names`. */
export function wasLater(gadget: Gadget, names: readonly string[] = ['needed']): boolean {
  const later = read(gadget);
  return names.some((name) => later.includes(name));
}

function read(gadget: Gadget): readonly string[] {
  try {
    const stored: unknown = JSON.parse(gadget.texts().getItem(keyOf(gadget)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function keyOf({ upstream, context: { viewer, app } }: Gadget): string {
  return `gantry later ${JSON.stringify([upstream, viewer, app.id])}`;
}
