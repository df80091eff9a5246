import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type RunUse, runUseVersion } from '@gantry/lab';
import { manifestPath } from '@gantry/lab/host';
import { maxManifestBytes } from '@gantry/proxy';
import { readRegularFile } from '@gantry/store';
import { type OptionalPersonField, operations, optionalPersonFields } from '@gantry/wire';

/** The last run of an app in `gantry dev`, as far as it can be trusted. */
export interface LastRun extends Pick<RunUse, 'starts' | 'operations' | 'fields' | 'hosts' | 'reads'> {
  /** `gadget.json` or a source has changed since. */
  readonly isOld: boolean;
}

/** Path in the app's folder. */
export const lastRunFile = '.gantry/last-run.json';
const mostBytes = 2_000_000;
const knownCalls: ReadonlySet<string> = new Set(Object.values(operations).map(({ osapi }) => osapi));
const knownFields: ReadonlySet<string> = new Set(optionalPersonFields);

/**
 * Reads the record of the last run. The file may come from a stranger, so only known names count.
 *
 * @param sources Paths in the folder.
 * @returns `undefined` if it is missing or unreadable.
 */
export function readLastRun(folder: string, sources: readonly string[]): LastRun | undefined {
  const file = join(folder, lastRunFile);
  const stored = readJson(file);
  if (typeof stored !== 'object' || stored === null || !('version' in stored) || stored.version !== runUseVersion)
    return undefined;
  const use = stored as { readonly [Name in keyof RunUse]?: unknown };
  const text = readRegularFile(manifestPath(folder), maxManifestBytes);
  const manifest = text && createHash('sha256').update(text).digest('hex');
  return {
    starts: typeof use.starts === 'number' ? use.starts : 0,
    operations: texts(use.operations).filter((name) => knownCalls.has(name)),
    fields: texts(use.fields).filter((name): name is OptionalPersonField => knownFields.has(name)),
    hosts: texts(use.hosts).filter((origin) => /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin)),
    reads: texts(use.reads),
    isOld: use.manifest !== manifest || sources.some((path) => changedAtMs(join(folder, path)) > changedAtMs(file)),
  };
}

function changedAtMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readJson(path: string): unknown {
  try {
    const text = readRegularFile(path, mostBytes);
    return text && JSON.parse(text.toString());
  } catch {
    return undefined; // missing, or written by another program
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string').slice(0, 200) : [];
}
