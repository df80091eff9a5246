/** A file of an app, by its path in the folder, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const uses = /\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b/;

/**
 * Says where an app keeps data in the browser without saying so, and what a site has to offer where it does. Frames that have
 * no host of their own refuse it with an error (security rule 4).
 *
 * @param options.storage What `gadget.json` says.
 * @param options.hasOwnHost The site is known to give each app a host of its own.
 */
export function storageWarnings(
  sources: readonly Source[],
  { storage, hasOwnHost }: { readonly storage: boolean; readonly hasOwnHost: boolean },
): string[] {
  if (storage) {
    return hasOwnHost
      ? []
      : [
          'gadget.json asks for storage: only sites that give each app a host of its own show this app (gantry serve --apps-host *.apps.example), others refuse it.',
        ];
  }
  return sources.flatMap(({ path, text }) => {
    const found = uses.exec(text);
    if (!found) return [];
    const line = text.slice(0, found.index).split('\n').length;
    return `${path}:${line} uses ${found[0]}, which fails in the app's frame. Keep data with osapi.appdata or gantry.state, or ask for "storage" in gadget.json.`;
  });
}
