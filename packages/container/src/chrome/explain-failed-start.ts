import { startProblems } from '@gantry/wire/texts';
import type { Ended } from '../gadget-state.ts';

const isolatedPage =
  "This page sends Cross-Origin-Embedder-Policy, so browsers show only frames that send it too. An app's own server must send Cross-Origin-Embedder-Policy: require-corp. For apps that Gantry serves, which send credentialless, Safari needs a page without it. Otherwise: ";

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
  const isBlocked = why === 'blocked';
  if (!isBlocked && why !== 'silent') return undefined;
  const { what, ...cures } = startProblems[isBlocked ? 'frame-refused' : loaded ? 'no-sdk' : 'page-unreachable'];
  const apps = `${new URL(document).origin}/gantry/apps/`;
  const cure = 'cureOfRemote' in cures && !document.startsWith(apps) ? cures.cureOfRemote : cures.cure;
  const address = isBlocked ? apps : document;
  const cause = isIsolated && !isBlocked && loaded ? isolatedPage : '';
  return `${cause}${what.replace('{address}', () => address)} ${cure}`;
}
