// Calls, fields and hosts that an app used in one run: `gantry app check` compares the manifest.
import {
  type OptionalPersonField,
  personFieldsOf,
  type RequestParams,
  requestKey,
  resolveRequest,
  SocialError,
} from '@gantry/wire';
import type { Entry } from './record/entry.ts';

/** Increases when an older reader would misread the file. */
export const runUseVersion = 1;

/** Content of `.gantry/last-run.json` in an app's folder. */
export interface RunUse {
  readonly version: typeof runUseVersion;
  readonly app: string;
  /** ISO 8601: the latest entry that counted. */
  readonly at: string;
  /** SHA-256 of `gadget.json` during the run, in hexadecimal digits. */
  readonly manifest: string;
  /** Documents that became ready. Without any, a run does not prove that a permission is unused. */
  readonly starts: number;
  /** Calls that were made, allowed or not, for example `people.get`. */
  readonly operations: readonly string[];
  /** Optional profile fields that calls asked for. */
  readonly fields: readonly OptionalPersonField[];
  /** Origins that the policy of the frame blocked. */
  readonly hosts: readonly string[];
  /** Reads in their canonical form, for an app, a viewer and an owner of these names. */
  readonly reads: readonly string[];
  readonly refused: readonly RefusedUse[];
}

/** A refusal that a line of `gadget.json` would prevent. */
export interface RefusedUse {
  readonly kind: 'call' | 'host';
  /** A call such as `people.get`, or an origin. */
  readonly name: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** Collects the use that a run makes of one app. */
export type RunUseCollector = ReturnType<typeof createRunUse>;

/** Bound of each list. */
const mostOfEach = 200;
const mostCallsWaiting = 1_000;
const mostCharacters = 2_000;

/**
 * Returns the canonical text of a read: two reads that mean the same have the same text.
 *
 * @returns `undefined` for parameters that no call can have.
 */
export function readKey(operation: string, params: RequestParams): string | undefined {
  const request = resolved(operation, params);
  return request?.method === 'GET' ? requestKey(request) : undefined;
}

/** Makes a collector that has seen no entry. */
export function createRunUse(app: string) {
  const operations = new Set<string>();
  const fields = new Set<OptionalPersonField>();
  const hosts = new Set<string>();
  const reads = new Set<string>();
  const refused = new Map<string, RefusedUse>();
  const waiting = new Map<string, string>();
  let starts = 0;
  let atMs = 0;

  function addCall(entry: Entry & { readonly kind: 'call' }): boolean {
    const { operation, params } = entry;
    const request = resolved(operation, params as RequestParams);
    if (request === undefined) return false;
    waiting.set(callOf(entry), operation);
    if (waiting.size > mostCallsWaiting) waiting.delete(waiting.keys().next().value as string);
    const key = request.method === 'GET' ? requestKey(request) : '';
    return [
      added(operations, operation),
      ...personFieldsOf(request).map((field) => added(fields, field)),
      key !== '' && key.length <= mostCharacters && added(reads, key),
    ].includes(true);
  }

  function addRefusal(use: RefusedUse): boolean {
    const key = `${use.kind} ${use.name}`;
    if (refused.has(key) || refused.size >= mostOfEach) return false;
    refused.set(key, use);
    return true;
  }

  function addEntry(entry: Entry): boolean {
    if (entry.kind === 'call') return addCall(entry);
    if (entry.kind === 'load' && entry.what === 'ready') {
      starts += 1;
      return true;
    }
    if (entry.kind === 'reply') {
      const operation = waiting.get(callOf(entry));
      waiting.delete(callOf(entry));
      if (operation === undefined || entry.error?.code !== 403) return false;
      return addRefusal({ kind: 'call', name: operation, message: entry.error.message.slice(0, mostCharacters) });
    }
    if (entry.kind !== 'policy') return false;
    const origin = originOf(entry.blocked);
    if (origin === undefined || !loadable.has(entry.directive)) return false;
    const { where } = entry;
    const place = where && { file: where.file, line: where.line };
    addRefusal({ kind: 'host', name: origin, message: `${entry.directive} refused ${origin}.`, ...place });
    return added(hosts, origin);
  }

  return {
    /** @returns True if the entry changed the use. */
    add(entry: Entry): boolean {
      if (entry.app !== app || !addEntry(entry)) return false;
      atMs = Math.max(atMs, entry.atMs);
      return true;
    },
    /** @param manifest SHA-256 of `gadget.json`. */
    use: (manifest: string): RunUse => ({
      version: runUseVersion,
      app,
      at: new Date(atMs).toISOString(),
      manifest,
      starts,
      operations: [...operations].sort(),
      fields: [...fields].sort(),
      hosts: [...hosts].sort(),
      reads: [...reads].sort(),
      refused: [...refused.values()],
    }),
  };
}

/** Directives that an origin in `hosts` widens. */
const loadable: ReadonlySet<string> = new Set(
  ['script', 'style', 'img', 'font', 'media'].flatMap((kind) =>
    ['', '-elem', '-attr'].map((end) => `${kind}-src${end}`),
  ),
);

function added<T>(set: Set<T>, value: T): boolean {
  if (set.has(value) || set.size >= mostOfEach) return false;
  set.add(value);
  return true;
}

function callOf({ lab, place = '', call }: Entry & { readonly call: number }): string {
  return `${lab} ${place} ${call}`;
}

function resolved(operation: string, params: RequestParams) {
  try {
    return resolveRequest({ operation, params: params ?? {} }, { app: 'app', viewer: 'viewer', owner: 'owner' });
  } catch (error) {
    if (error instanceof SocialError) return undefined;
    throw error;
  }
}

function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' && origin.length <= mostCharacters ? origin : undefined;
}
