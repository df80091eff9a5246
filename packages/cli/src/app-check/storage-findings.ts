import { type Finding, placesIn } from './finding.ts';
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
  if (storage) {
    const what =
      'asks for storage: only sites that give each app its own host show this app (gantry serve --apps-host *.apps.example)';
    return hasOwnHost ? [] : [{ id: 'storage-needs-host', level: 'warning', file: 'gadget.json', what }];
  }
  return sources.flatMap((source): Finding[] => {
    const found = source.uses.find(({ code }) => uses.test(code));
    if (!found) return [];
    return [
      {
        ...{ id: 'browser-storage', level: 'warning', file: source.path, ...placesIn(source.text)(found.at) },
        what: `uses ${found.code}, which fails in the app's frame`,
        cure: 'Save data with osapi.appdata or gantry.state, or ask for "storage" in gadget.json.',
      },
    ];
  });
}
