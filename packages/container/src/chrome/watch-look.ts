import { forgetLooks } from '../look.ts';
import type { Place } from '../place.ts';

const preferences = [
  '(prefers-color-scheme:dark)',
  '(prefers-contrast:more)',
  '(prefers-reduced-motion:reduce)',
  '(forced-colors:active)',
];

const places = new Set<Place>();
let stop = () => {};

/**
 * Tells an app when the page changes its look or language: what toggles is an attribute of the root or the body, the
 * system's preference, or anything else of which the site says so with the event `gantry-refresh` at its document.
 */
export function watchLook(place: Place): () => void {
  if (places.size === 0) stop = watchPage();
  places.add(place);
  place.update();
  return () => {
    places.delete(place);
    if (places.size === 0) stop();
  };
}

function watchPage(): () => void {
  const over = new AbortController();
  const { signal } = over;
  const observer = new MutationObserver(onChange);
  for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
  for (const query of preferences) matchMedia(query).addEventListener('change', onChange, { signal });
  document.addEventListener('gantry-refresh', onChange, { signal });
  document.documentElement.addEventListener('transitionend', onChange, { signal }); // colours that faded are there now
  addEventListener('languagechange', onChange, { signal });
  forgetLooks(); // nobody watched when they were kept
  return () => {
    observer.disconnect();
    over.abort();
  };
}

function onChange(): void {
  forgetLooks();
  for (const { update } of places) update();
}
