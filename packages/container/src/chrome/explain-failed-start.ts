import type { Ended } from '../gadget-state.ts';

/**
 * Explains to an app's author why the app did not start, in English.
 *
 * @param document Absolute URL of the app's page.
 * @returns `undefined` if the text for members is enough.
 */
export function explainFailedStart({ why, loaded }: Ended, document: string): string | undefined {
  const { origin } = new URL(document);
  if (why === 'blocked') {
    return `This page's Content-Security-Policy has no frame-src for ${origin}/gantry/apps/, so the browser loads no app.`;
  }
  if (why !== 'silent') return undefined;
  return loaded
    ? `Its page loaded and said no hello in time. It must load /gantry/osapi.js before anything slow. If it does, the console says what failed: a script of another origin that gadget.json does not list in hosts, or a module without Access-Control-Allow-Origin.`
    : `Nothing loaded from ${document} in time: is its server up and quick enough?`;
}
