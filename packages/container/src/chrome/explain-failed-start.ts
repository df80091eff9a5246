import { startProblems } from '@gantry/wire';
import type { Ended } from '../gadget-state.ts';

/**
 * Explains to an app's author why the app did not start, in English.
 *
 * @param document Absolute URL of the app's page.
 * @returns `undefined` if the text for members is enough.
 */
export function explainFailedStart({ why, loaded }: Ended, document: string): string | undefined {
  const isBlocked = why === 'blocked';
  if (!isBlocked && why !== 'silent') return undefined;
  const { what, cure } = startProblems[isBlocked ? 'frame-refused' : loaded ? 'no-sdk' : 'page-unreachable'];
  const address = isBlocked ? `${new URL(document).origin}/gantry/apps/` : document;
  return `${what.replace('{address}', () => address)} ${cure}`;
}
