import type { Entry, LabApp } from '@gantry/lab';
import { readManifestFacts } from '@gantry/lab/host';
import { createExplainer, type Explanation } from '@gantry/lab/record';

/** Explains what went wrong in a record, each problem once. */
export function explainEntries(entries: readonly Entry[], apps: readonly LabApp[]): readonly Explanation[] {
  const explain = createExplainer({
    manifestOf(id) {
      const app = apps.find((one) => one.id === id);
      return app?.manifest ?? (app && 'folder' in app ? readManifestFacts(app.folder) : undefined);
    },
    isRemote: (app) => apps.some((one) => one.id === app && 'url' in one),
  });
  const explanations = new Map<string, Explanation>();
  for (const entry of entries) {
    const explanation = explain(entry);
    if (explanation) explanations.set(JSON.stringify([explanation.id, explanation.subject]), explanation);
  }
  return [...explanations.values()];
}

/** Writes an explanation in one paragraph: what is wrong, the cure, and the line to write. */
export function explanationText({ what, cure, example }: Explanation): string {
  return `${what} ${cure}${example === undefined ? '' : `\n  ${example}`}`;
}
