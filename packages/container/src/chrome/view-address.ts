import type { Gadget, Shown } from '../gadget.ts';
import { topOf } from './view-name.ts';

// A gadget's view is part of the page's fragment: `#gantry.friends=canvas?tab=2`, joined with `&`
// to what else the fragment holds. Fragments change without a request and are not sent to the
// server.

const viewName = /^[A-Za-z0-9_.-]{1,64}$/;
export const maxParams = 20;
const maxText = 2_000; // of all names and values: not every program accepts long addresses

/** Returns the view of a gadget in `hash`, `undefined` if there is none or it is invalid. */
export function readView(hash: string, slot: string): Shown | undefined {
  const start = startOf(slot);
  const part = partsOf(hash).find((part) => part.startsWith(start));
  if (part === undefined) return undefined;
  try {
    const [view = '', ...query] = decodeURIComponent(part.slice(start.length)).split('?');
    return checkView(view, Object.fromEntries(new URLSearchParams(query.join('?'))));
  } catch {
    return undefined; // not written by Gantry
  }
}

/** Returns `hash` with the view of one gadget set, or removed if `shown` is `undefined`. */
export function writeView(hash: string, slot: string, shown: Shown | undefined): string {
  const start = startOf(slot);
  const parts = partsOf(hash).filter((part) => part !== '' && !part.startsWith(start));
  if (shown) {
    const query = new URLSearchParams(shown.params).toString();
    parts.push(start + encodeURIComponent(query ? `${shown.view}?${query}` : shown.view));
  }
  return parts.length > 0 ? `#${parts.join('&')}` : '';
}

function startOf(slot: string): string {
  return `gantry.${encodeURIComponent(slot)}=`;
}

function partsOf(hash: string): readonly string[] {
  return hash.slice(1).split('&');
}

/** Returns the view, `undefined` if its name or its parameters are invalid or too long. */
export function checkView(view: unknown, params: Readonly<Record<string, string>>): Shown | undefined {
  const isFit = Object.keys(params).length <= maxParams && Object.entries(params).flat().join('').length <= maxText;
  return typeof view === 'string' && viewName.test(view) && isFit ? { view, params } : undefined;
}

/**
 * Returns the name of a gadget in the page's address: its element's id, else its app's id, numbered
 * from the second gadget of the app on.
 */
export function slotOf(element: HTMLElement): string {
  if (element.id) return element.id;
  const app = element.getAttribute('app') ?? '';
  const same = (element.getRootNode() as ParentNode).querySelectorAll(`${element.localName}:not([id])`);
  const index = [...same].filter((other) => other.getAttribute('app') === app).indexOf(element);
  return index > 0 ? `${app}.${index + 1}` : app;
}

/** Restores the gadget's view from the page's address, if its app has that view. */
export function restoreView(gadget: Gadget, element: HTMLElement): void {
  const shown = readView(location.hash, slotOf(element));
  if (shown && gadget.context.views.includes(topOf(shown.view))) gadget.shown = shown;
}
