import { readKey } from '@gantry/lab';
import { problem } from '@gantry/lab/record';
import type { Manifest } from '@gantry/proxy';
import { permissionsFor, type RequestParams, resolveRequest } from '@gantry/wire';
import { type Finding, manifestWarning } from './finding.ts';
import type { LastRun } from './last-run.ts';
import { callsIn, namesHost } from './manifest-findings.ts';
import type { Source } from './sources.ts';

/** Changes of a manifest's lists that the last run suggests. */
export interface ManifestPlan {
  readonly add: Lists;
  readonly remove: Lists;
  /** Indexes in `preload` that never hit. */
  readonly removePreloads: readonly number[];
  readonly findings: readonly Finding[];
}

export interface Lists {
  readonly uses: readonly string[];
  readonly fields: readonly string[];
  readonly hosts: readonly string[];
}

/**
 * Compares a manifest with the last run. A line is removed only if neither the run used it nor a
 * file names it: a run covers one member's use only. Lines of `optional` stay, since members are
 * asked for them only when needed.
 */
export function planManifest(manifest: Manifest, run: LastRun, sources: readonly Source[]): ManifestPlan {
  const { uses, fields, hosts, optional, preload } = manifest;
  const add = {
    uses: run.operations.filter((name) => !uses.includes(name) && !optional.uses.includes(name)),
    fields: run.fields.filter((name) => !fields.includes(name) && !optional.fields.includes(name)),
    hosts: run.hosts.filter((origin) => !hosts.includes(origin)),
  };
  const needs = Object.entries(add).flatMap(([list, names]) =>
    names.map((name) => manifestWarning(problem('run-needs', { list, name }))),
  );
  const unused = run.starts > 0 ? findUnused(manifest, run, sources) : noUnused;
  if (run.isOld) {
    const suggested = [...needs, ...Object.values(unused.remove).flat(), ...unused.removePreloads];
    return { ...noUnused, add: noLists, findings: suggested.length > 0 ? [manifestWarning(problem('old-run'))] : [] };
  }
  const neverHit = unused.removePreloads.map((index) =>
    manifestWarning(problem('preload-never-hit', { call: preload[index]?.operation ?? '', index })),
  );
  const notTried = unused.notTried.map((call) => manifestWarning(problem('not-tried', { call })));
  return { ...unused, add, findings: [...needs, ...neverHit, ...notTried] };
}

interface Unused extends Pick<ManifestPlan, 'remove' | 'removePreloads'> {
  /** Calls that a file names and the run did not make. */
  readonly notTried: readonly string[];
}

const noLists: Lists = { uses: [], fields: [], hosts: [] };
const noUnused: Unused = { remove: noLists, removePreloads: [], notTried: [] };

/** Finds the lines of a manifest that a run did not use. */
function findUnused({ uses, fields, hosts, preload }: Manifest, run: LastRun, sources: readonly Source[]): Unused {
  const removePreloads = preload.flatMap(({ operation, params }, index) =>
    run.reads.includes(readKey(operation, params) ?? '') ? [] : [index],
  );
  const preloads = preload.filter((_, index) => !removePreloads.includes(index));
  const needed = preloads.flatMap(({ operation, params }) => [operation, ...fieldsOf(operation, params)]);
  const named = callsIn(sources);
  const isUnused = (used: readonly string[], name: string) => !used.includes(name) && !needed.includes(name);
  const unusedCalls = uses.filter((name) => isUnused(run.operations, name));
  return {
    removePreloads,
    remove: {
      uses: unusedCalls.filter((name) => !named.has(name)),
      fields: fields.filter((name) => isUnused(run.fields, name) && !namesField(sources, name)),
      hosts: hosts.filter((origin) => isUnused(run.hosts, origin) && !namesHost(sources, origin)),
    },
    notTried: unusedCalls.filter((name) => named.has(name)),
  };
}

function fieldsOf(operation: string, params: RequestParams): readonly string[] {
  const request = resolveRequest({ operation, params }, { app: 'app', viewer: 'viewer', owner: 'owner' });
  return permissionsFor(request).map((name) => name.replace('people.', ''));
}

function namesField(sources: readonly Source[], name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  return sources.some(({ text }) => word.test(text) || /['"`]@all['"`]/.test(text));
}
