import type { DatabaseSync as Handle } from 'node:sqlite';

// Not an import: an older Node would end with "No such built-in module", which says nothing about
// what to do.
const sqlite = process.getBuiltinModule?.('node:sqlite');
if (sqlite === undefined) {
  throw new Error(`Gantry needs Node 22.18 or newer; this is ${process.versions.node}.`);
}

export type DatabaseSync = Handle;
export const { DatabaseSync } = sqlite;
