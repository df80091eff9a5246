import type { Shown } from '../create-container.ts';

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
