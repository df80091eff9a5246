import type { Entry } from '../record/entry.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';
import type { ManifestFacts } from './manifest-line.ts';

/** Explains the entries of one record, one after the other. */
export type Explainer = (entry: Entry) => Explanation | undefined;

const mostCalls = 2_000;
const needsFiles: readonly Entry['kind'][] = ['file'];

/**
 * Makes an explainer that remembers which call a reply belongs to.
 *
 * @param options.manifestOf Content of an app's `gadget.json`, read when an explanation needs it.
 * @param options.filesOf Paths of an app's files, to suggest the right name.
 * @param options.isRemote Returns true for an app with a server of its own. Default: none has.
 */
export function createExplainer(options: {
  readonly manifestOf?: (app: string) => ManifestFacts | undefined;
  readonly filesOf?: (app: string) => readonly string[];
  readonly isRemote?: (app: string) => boolean;
}): Explainer {
  const { manifestOf, filesOf, isRemote } = options;
  const calls = new Map<string, { readonly operation: string; readonly params: unknown }>();

  return (entry) => {
    if (entry.kind === 'call') {
      calls.set(keyOf(entry, entry.call), { operation: entry.operation, params: entry.params });
      if (calls.size > mostCalls) calls.delete(calls.keys().next().value as string);
      return undefined;
    }
    const { app } = entry;
    return explain(entry, {
      call: entry.kind === 'reply' || entry.kind === 'push' ? calls.get(keyOf(entry, entry.call)) : undefined,
      get manifest() {
        return app === undefined ? undefined : manifestOf?.(app);
      },
      isRemote: app !== undefined && isRemote?.(app),
      files: app !== undefined && needsFiles.includes(entry.kind) ? filesOf?.(app) : undefined,
    });
  };
}

function keyOf({ lab, app, place }: Entry, call: number): string {
  return JSON.stringify([lab, app, place, call]);
}
