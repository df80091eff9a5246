import { setTimeout } from 'node:timers/promises';
import type { LabEvent } from '@gantry/lab';
import { readAppManifest } from '@gantry/lab/host';
import { declaredBy, type Manifest } from '@gantry/proxy';

/**
 * Follows the `gadget.json` of a folder, or of its `public` folder, from where bundlers copy it.
 *
 * @param options.pause Waits some milliseconds. A save first empties a file: what looks wrong is
 * read once more.
 */
export function createAppManifest(
  folder: string,
  { pause = setTimeout }: { readonly pause?: (ms: number) => Promise<unknown> } = {},
) {
  let current: Manifest | undefined;
  let text = '';
  let problem = '';

  async function readSettled(): Promise<Manifest> {
    try {
      return await readAppManifest(folder);
    } catch {
      await pause(80);
      return readAppManifest(folder);
    }
  }

  return {
    /** The latest valid one, if any. */
    get current(): Manifest | undefined {
      return current;
    },
    /** Returns whether a changed file may affect it. */
    concerns: (path: string): boolean =>
      path === 'gadget.json' || path === 'public/gadget.json' || /\.(?:html?|png|webp|svg)$/i.test(path),
    /** Resolves with entries for the record, and true if gadgets must be mounted again. */
    async read(): Promise<{ readonly event: LabEvent | undefined; readonly isChanged: boolean }> {
      try {
        const manifest = await readSettled();
        const before = current;
        const wasWrong = problem !== '';
        const isChanged = JSON.stringify(manifest) !== text;
        current = manifest;
        text = JSON.stringify(manifest);
        problem = '';
        if (!isChanged && !wasWrong) return { event: undefined, isChanged };
        const asks = before === undefined ? [] : asksMore(before, manifest);
        return { event: { kind: 'manifest', ...(asks.length > 0 && { asks }) }, isChanged };
      } catch (error) {
        const message = (error as Error).message;
        const isNews = message !== problem;
        problem = message;
        return { event: isNews ? { kind: 'manifest', problem } : undefined, isChanged: false };
      }
    },
  };
}

/** Lists permissions that members will newly be asked for. */
function asksMore(before: Manifest, now: Manifest): readonly string[] {
  const served = { kind: 'served', folder: '' } as const;
  const required = declaredBy({ manifest: before, source: served }).required;
  return declaredBy({ manifest: now, source: served }).required.filter((name) => !required.includes(name));
}
