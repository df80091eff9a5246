import type { Place } from '../gadget.ts';
import { forgetThemes } from '../load/theme.ts';

const preferences = [
  '(prefers-color-scheme:dark)',
  '(prefers-contrast:more)',
  '(prefers-reduced-motion:reduce)',
  '(forced-colors:active)',
];

const places = new Set<Place>();
let stop = () => {};

/**
 * Updates an app when the page's theme or language changes: on attribute changes of root or body,
 * system preferences, or the site's event `gantry-refresh` at the document.
 */
export function watchTheme(place: Place): () => void {
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
  document.documentElement.addEventListener('transitionend', onChange, { signal }); // a colour transition is over
  addEventListener('languagechange', onChange, { signal });
  forgetThemes(); // they were cached while nothing watched
  return () => {
    observer.disconnect();
    over.abort();
  };
}

function onChange(): void {
  forgetThemes();
  for (const { update } of places) update();
}
