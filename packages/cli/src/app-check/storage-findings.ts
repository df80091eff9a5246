import { problem } from '@gantry/lab/record';
import { type Finding, manifestWarning, placesIn } from './finding.ts';
import type { Source } from './sources.ts';

const uses = /^(?:localStorage|sessionStorage|indexedDB|document\.cookie)$/;

/**
 * Returns uses of browser storage that `gadget.json` does not declare, and the requirement of a
 * site if it does. Frames without a host of their own refuse storage with an error (security rule
 * 4).
 *
 * @param options.storage `storage` of `gadget.json`.
 * @param options.hasOwnHost The site is known to give each app a host of its own.
 */
export function storageFindings(
  sources: readonly Source[],
  { storage, hasOwnHost }: { readonly storage: boolean; readonly hasOwnHost: boolean },
): readonly Finding[] {
  if (storage) return hasOwnHost ? [] : [manifestWarning(problem('storage-needs-host'))];
  return sources.flatMap(({ path, text, uses: found }) => {
    const placeOf = placesIn(text);
    return found
      .filter(({ code }) => uses.test(code))
      .map(({ code, at }): Finding => {
        return { ...problem('browser-storage', { name: code }), level: 'warning', file: path, ...placeOf(at) };
      });
  });
}
