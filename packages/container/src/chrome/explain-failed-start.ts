import type { Ended } from '../gadget-state.ts';

/**
 * Explains to an app's author why the app did not start, in English.
 *
 * @param document Absolute URL of the app's page.
 * @param isIsolated `crossOriginIsolated` of the page around it.
 * @returns `undefined` if the text for members is enough.
 */
export function explainFailedStart(
  { why, loaded }: Ended,
  document: string,
  isIsolated = globalThis.crossOriginIsolated,
): string | undefined {
  const { origin } = new URL(document);
  if (why === 'blocked') {
    return `This page's Content-Security-Policy has no frame-src for ${origin}/gantry/apps/, so the browser loads no app.`;
  }
  if (why !== 'silent') return undefined;
  const cause = isIsolated
    ? `This page sends Cross-Origin-Embedder-Policy, so browsers show only frames that send it too. An app's own server must send Cross-Origin-Embedder-Policy: require-corp. For apps that Gantry serves, which send credentialless, Safari needs a page without it. Otherwise: `
    : '';
  return loaded
    ? `${cause}Its page loaded and said no hello in time. It must load /gantry/osapi.js before anything slow. If it does, the console says what failed: a script of another origin that gadget.json does not list in hosts, or a module without Access-Control-Allow-Origin.`
    : `Nothing loaded from ${document} in time: is its server up and quick enough?`;
}
