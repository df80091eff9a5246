import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, LabApp } from '@gantry/lab';
import { createExplainer, type Explanation, type ManifestFacts } from '@gantry/lab/record';

/** Explains what went wrong in a record, each problem once. */
export function explainEntries(entries: readonly Entry[], apps: readonly LabApp[]): readonly Explanation[] {
  const explain = createExplainer({
    manifestOf: (app) => manifestIn(apps.find(({ id }) => id === app)),
    isRemote: (app) => apps.some((one) => one.id === app && 'url' in one),
  });
  const found = new Map<string, Explanation>();
  for (const entry of entries) {
    const explanation = explain(entry);
    if (explanation) found.set(JSON.stringify([explanation.id, explanation.subject]), explanation);
  }
  return [...found.values()];
}

/** Writes an explanation in one paragraph: what is wrong, the cure, and the line to write. */
export function explanationText({ what, cure, example }: Explanation): string {
  return `${what} ${cure}${example === undefined ? '' : `\n  ${example}`}`;
}

function manifestIn(app: LabApp | undefined): ManifestFacts | undefined {
  if (app === undefined || !('folder' in app)) return app?.manifest;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(app.folder, 'gadget.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    return undefined;
  }
}
