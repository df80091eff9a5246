import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds that each thread of some processes has run. */
export type CpuReading = ReadonlyMap<string, number>;

/**
 * Reads the processor time of a process and of all that descend from it, in nanoseconds, where
 * `/proc/…/stat` has hundredths of a second. Empty without `/proc`.
 */
export function readCpu(root: number): CpuReading {
  return new Map(familyOf(root).flatMap(threadsOf));
}

/** Returns the microseconds between two readings. Threads that ended meanwhile are not in it. */
export function cpuBetween(before: CpuReading, after: CpuReading): number | undefined {
  if (after.size === 0) return undefined;
  return [...after].reduce((sum, [thread, ns]) => sum + ns - (before.get(thread) ?? 0), 0) / 1_000;
}

/** Returns the ids of the children of this process that run a given program. */
export function childrenRunning(program: RegExp): readonly number[] {
  const mine = parents().filter(([, parent]) => parent === process.pid);
  return mine.flatMap(([id]) => (program.test(read(`/proc/${id}/comm`)) ? [id] : []));
}

function familyOf(root: number): readonly number[] {
  const all = parents();
  const family = [root];
  for (const id of family) family.push(...all.flatMap(([child, parent]) => (parent === id ? [child] : [])));
  return family;
}

function parents(): readonly (readonly [id: number, parent: number])[] {
  return list('/proc').flatMap((name) => {
    const [, parent] = /\) \S (\d+)/.exec(/^\d+$/.test(name) ? read(`/proc/${name}/stat`) : '') ?? [];
    return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
  });
}

function threadsOf(id: number): readonly (readonly [thread: string, ns: number])[] {
  return list(`/proc/${id}/task`).flatMap((task) => {
    const [ns] = read(`/proc/${id}/task/${task}/schedstat`).split(' ');
    return ns ? [[`${id} ${task}`, Number(ns)] as const] : [];
  });
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // ended meanwhile
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
