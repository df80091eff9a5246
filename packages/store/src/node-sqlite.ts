import type { DatabaseSync as Handle } from 'node:sqlite';

export type DatabaseSync = Handle;
// Not an import, which an older Node resolves before `require-node.ts` runs.
export const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
