import type { Place } from '../place.ts';

const preferences = [
  '(prefers-color-scheme:dark)',
  '(prefers-contrast:more)',
  '(prefers-reduced-motion:reduce)',
  '(forced-colors:active)',
];

/**
 * Tells an app when the page changes its look or language: what toggles is an attribute of the root or the body, the
 * system's preference, or anything else of which the site says so with the event `gantry-refresh` at its document.
 */
export function watchLook({ update }: Place): () => void {
  const over = new AbortController();
  const { signal } = over;
  const observer = new MutationObserver(update);
  for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
  for (const query of preferences) matchMedia(query).addEventListener('change', update, { signal });
  document.addEventListener('gantry-refresh', update, { signal });
  document.documentElement.addEventListener('transitionend', update, { signal }); // colours that faded are there now
  addEventListener('languagechange', update, { signal });
  update();
  return () => {
    observer.disconnect();
    over.abort();
  };
}
