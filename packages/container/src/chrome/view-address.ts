import type { Gadget, Shown } from '../gadget.ts';
import { topOf } from '../view-name.ts';

/**
 * Where a gadget is, as part of the page's address: `#gantry.friends=canvas?tab=2`, beside whatever else the fragment holds,
 * joined with `&`. A fragment, since it is not sent to the site's server and changes without a request.
 */

/** What may name a view. */
const viewName = /^[A-Za-z0-9_.-]{1,64}$/;
export const maxParams = 20;
const maxText = 2_000; // of all names and values: addresses are shared, and not every program takes long ones

/** @returns undefined where `hash` does not say, or says what no view can be. */
export function readView(hash: string, slot: string): Shown | undefined {
  const start = `gantry.${encodeURIComponent(slot)}=`;
  const part = hash
    .slice(1)
    .split('&')
    .find((part) => part.startsWith(start));
  if (part === undefined) return undefined;
  try {
    const [view = '', ...query] = decodeURIComponent(part.slice(start.length)).split('?');
    return checkView(view, Object.fromEntries(new URLSearchParams(query.join('?'))));
  } catch {
    return undefined; // no address that we wrote
  }
}

/** `hash` with the place of one gadget in it, or without where that is `undefined`; what else it holds stays as it is. */
export function writeView(hash: string, slot: string, shown: Shown | undefined): string {
  const start = `gantry.${encodeURIComponent(slot)}=`;
  const parts = hash
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith(start));
  if (shown) {
    const query = new URLSearchParams(shown.params).toString();
    parts.push(start + encodeURIComponent(query ? `${shown.view}?${query}` : shown.view));
  }
  return parts.length > 0 ? `#${parts.join('&')}` : '';
}

/** @returns undefined for what cannot be a view, or has too many parameters or too much text. */
export function checkView(view: unknown, params: Readonly<Record<string, string>>): Shown | undefined {
  const isFit = Object.keys(params).length <= maxParams && Object.entries(params).flat().join('').length <= maxText;
  return typeof view === 'string' && viewName.test(view) && isFit ? { view, params } : undefined;
}

/**
 * Name of a gadget in the page's address: its element's id, else the app's. Further ones of the same app are numbered in the
 * order of the page.
 */
export function slotOf(element: HTMLElement): string {
  if (element.id) return element.id;
  const app = element.getAttribute('app') ?? '';
  const same = (element.getRootNode() as ParentNode).querySelectorAll(`${element.localName}:not([id])`);
  const index = [...same].filter((other) => other.getAttribute('app') === app).indexOf(element);
  return index > 0 ? `${app}.${index + 1}` : app;
}

/** Puts a gadget where the page's address says, if its app has that view. */
export function restoreView(gadget: Gadget, element: HTMLElement): void {
  const shown = readView(location.hash, slotOf(element));
  if (shown && gadget.context.views.includes(topOf(shown.view))) gadget.shown = shown;
}
