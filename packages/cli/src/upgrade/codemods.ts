import type { Codemod } from './codemod.ts';
import { schema } from './codemods/0001-schema.ts';

/** All codemods, in their order. A new one is a file with the next number, and a row here. */
export const codemods: readonly Codemod[] = [schema];
