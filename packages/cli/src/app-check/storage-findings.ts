import { problem } from '@gantry/lab/record';
import { type Finding, manifestWarning, placesIn } from './finding.ts';
import { partsOf } from './source-parts.ts';
import type { Source } from './sources.ts';

const uses = /\b(?:localStorage|sessionStorage|indexedDB|document\s*\.\s*cookie)\b/;

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
  return sources.flatMap((source): Finding[] => {
    const found = uses.exec(partsOf(source).script);
    if (!found) return [];
    const place = placesIn(source.text)(found.index);
    return [{ ...problem('browser-storage', { name: found[0] }), level: 'warning', file: source.path, ...place }];
  });
}
