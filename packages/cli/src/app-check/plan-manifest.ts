import { readKey } from '@gantry/lab';
import type { Manifest } from '@gantry/proxy';
import { permissionsFor, type RequestParams, resolveRequest } from '@gantry/wire';
import type { Finding } from './finding.ts';
import type { LastRun } from './last-run.ts';
import { callsIn, namesHost } from './manifest-findings.ts';
import type { Source } from './sources.ts';

/** Lists of a manifest as a run shows that they should be. */
export interface ManifestPlan {
  readonly add: Lists;
  readonly remove: Lists;
  /** Positions in `preload` of those that never hit. */
  readonly removePreloads: readonly number[];
  readonly findings: readonly Finding[];
}

export interface Lists {
  readonly uses: readonly string[];
  readonly fields: readonly string[];
  readonly hosts: readonly string[];
}

/**
 * Compares a manifest with the last run. A line goes only if neither the run used it nor a file names it: a run shows what
 * one member did, not all that an app can do. Lines of `optional` stay, since members are asked for them only when needed.
 */
export function planManifest(manifest: Manifest, run: LastRun, sources: readonly Source[]): ManifestPlan {
  const { uses, fields, hosts, optional, preload } = manifest;
  const isTelling = run.starts > 0 && !run.isOld;
  const removePreloads = isTelling
    ? preload.flatMap(({ operation, params }, index) =>
        run.reads.includes(readKey(operation, params) ?? '') ? [] : [index],
      )
    : [];
  const kept = preload.filter((_, index) => !removePreloads.includes(index));
  const named = callsIn(sources);
  const needed = kept.flatMap(({ operation, params }) => [operation, ...fieldsOf(operation, params)]);
  const isUnused = (name: string, isNamed: boolean, used: readonly string[]) =>
    isTelling && !isNamed && !used.includes(name) && !needed.includes(name);
  const add = {
    uses: run.operations.filter((name) => !uses.includes(name) && !optional.uses.includes(name)),
    fields: run.fields.filter((name) => !fields.includes(name) && !optional.fields.includes(name)),
    hosts: run.hosts.filter((origin) => !hosts.includes(origin)),
  };
  const remove = {
    uses: uses.filter((name) => isUnused(name, named.has(name), run.operations)),
    fields: fields.filter((name) => isUnused(name, namesField(sources, name), run.fields)),
    hosts: hosts.filter((origin) => isUnused(origin, namesHost(sources, origin), run.hosts)),
  };
  return {
    add,
    remove,
    removePreloads,
    findings: [
      ...Object.entries(add).flatMap(([list, names]) => names.map((name) => refused(list, name))),
      ...(isTelling ? removePreloads.map((index) => neverHit(preload[index]?.operation ?? '', index)) : []),
      ...(isTelling
        ? uses.filter((name) => named.has(name) && isUnused(name, false, run.operations)).map(notTried)
        : []),
      ...(run.isOld && run.starts > 0 ? [old] : []),
    ],
  };
}

/** Returns whether a plan changes nothing. */
export function isEmptyPlan({ add, remove, removePreloads }: ManifestPlan): boolean {
  return [...Object.values(add), ...Object.values(remove), removePreloads].every((list) => list.length === 0);
}

function fieldsOf(operation: string, params: RequestParams): readonly string[] {
  const request = resolveRequest({ operation, params }, { app: 'app', viewer: 'viewer', owner: 'owner' });
  return permissionsFor(request).map((name) => name.replace('people.', ''));
}

function namesField(sources: readonly Source[], name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  return sources.some(({ text }) => word.test(text) || /['"`]@all['"`]/.test(text));
}

function refused(list: string, name: string): Finding {
  return {
    ...{ id: 'run-needs', level: 'warning', file: 'gadget.json' },
    what: `does not list ${name} in ${list}, and the last run needed it`,
    cure: `Write it, or let gantry app check --fix write it: members are asked for it.`,
  };
}

function neverHit(operation: string, index: number): Finding {
  return {
    ...{ id: 'preload-never-hit', level: 'warning', file: 'gadget.json' },
    what: `preloads ${operation} (preload[${index}]), and the last run made no call with these params`,
    cure: 'Write the params as the app sends them, or take the preload out.',
  };
}

function notTried(name: string): Finding {
  return {
    ...{ id: 'not-tried', level: 'warning', file: 'gadget.json' },
    what: `asks members for ${name}, which the app can call and the last run did not`,
    cure: 'Try that part of the app, or take it from uses.',
  };
}

const old: Finding = {
  ...{ id: 'old-run', level: 'warning', file: 'gadget.json' },
  what: 'was changed after the last run',
  cure: 'Run gantry dev once more: until then nothing is taken out.',
};
