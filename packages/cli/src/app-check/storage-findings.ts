import { type Finding, placesIn } from './finding.ts';
import { partsOf } from './source-parts.ts';
import type { Source } from './sources.ts';

const uses = /\b(?:localStorage|sessionStorage|indexedDB|document\s*\.\s*cookie)\b/;

/**
 * Says where an app keeps data in the browser without saying so, and what a site has to offer where it does. Frames that have
 * no host of their own refuse it with an error (security rule 4).
 *
 * @param options.storage What `gadget.json` says.
 * @param options.hasOwnHost The site is known to give each app a host of its own.
 */
export function storageFindings(
  sources: readonly Source[],
  { storage, hasOwnHost }: { readonly storage: boolean; readonly hasOwnHost: boolean },
): readonly Finding[] {
  if (storage) {
    const what =
      'asks for storage: only sites that give each app a host of its own show this app (gantry serve --apps-host *.apps.example), others refuse it';
    return hasOwnHost ? [] : [{ id: 'storage-needs-host', level: 'warning', file: 'gadget.json', what }];
  }
  return sources.flatMap((source): Finding[] => {
    const found = uses.exec(partsOf(source).script);
    if (!found) return [];
    return [
      {
        ...{ id: 'browser-storage', level: 'warning', file: source.path, ...placesIn(source.text)(found.index) },
        what: `uses ${found[0]}, which fails in the app's frame`,
        cure: 'Keep data with osapi.appdata or gantry.state, or ask for "storage" in gadget.json.',
      },
    ];
  });
}
