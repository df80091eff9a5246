import type { Codemod } from './codemod.ts';
import { schema } from './codemods/0001-schema.ts';

/** All codemods in order. A new one is a file with the next number and an entry here. */
export const codemods: readonly Codemod[] = [schema];
