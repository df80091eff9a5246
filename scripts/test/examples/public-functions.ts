import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

/** A function that a package exports. */
export interface PublicFunction {
  readonly name: string;
  /** Path from the repository's root, and line, of its declaration. */
  readonly place: string;
  /** Text of its `@example`, if it has one. */
  readonly example: string | undefined;
}

/** A module that a package's `exports` names. */
export interface Entry {
  /** As imports name it, for example `@gantry/lab/tape`. */
  readonly specifier: string;
  readonly functions: readonly PublicFunction[];
}

/** Reads the entries of a package from its `package.json`, with the functions of each. */
export function entriesOf(root: string, folder: string): readonly Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return Object.entries<Exported>(exports).flatMap(([path, exported]) => {
    const source = typeof exported === 'string' ? undefined : sourceOf(exported);
    if (source === undefined) return [];
    return [{ specifier: join(name, path), functions: [...functionsOf(root, join(folder, source)).values()] }];
  });
}

type Exported = string | { readonly '@gantry/source'?: string | { readonly default: string } };

function sourceOf({ '@gantry/source': source }: Exclude<Exported, string>): string | undefined {
  return typeof source === 'object' ? source.default : source;
}

function functionsOf(root: string, file: string): Map<string, PublicFunction> {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, comments } = parseSync(file, text);
  const byName = new Map<string, PublicFunction>();
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue;
    const { declaration, source, specifiers } = statement;
    for (const name of declaredFunctions(declaration)) {
      const comment = comments.findLast(
        ({ type, end }) => type === 'Block' && end <= statement.start && text.slice(end, statement.start).trim() === '',
      );
      const line = text.slice(0, statement.start).split('\n').length;
      byName.set(name, { name, place: `${file}:${line}`, example: comment && exampleOf(comment.value) });
    }
    if (source === null || !source.value.startsWith('.')) continue; // another package shows its own
    const functions = functionsOf(root, join(dirname(file), source.value));
    for (const { local, exported, exportKind } of specifiers) {
      if (exportKind === 'type' || local.type !== 'Identifier' || exported.type !== 'Identifier') continue;
      const one = functions.get(local.name);
      if (one) byName.set(exported.name, { ...one, name: exported.name });
    }
  }
  return byName;
}

type Declaration = Extract<
  ReturnType<typeof parseSync>['program']['body'][number],
  { type: 'ExportNamedDeclaration' }
>['declaration'];

function declaredFunctions(declaration: Declaration): string[] {
  if (declaration?.type === 'FunctionDeclaration') return declaration.id ? [declaration.id.name] : [];
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' ? [id.name] : [],
  );
}

/** Returns the text after `@example`, up to the next tag. */
function exampleOf(comment: string): string | undefined {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, ''));
  const at = lines.findIndex((line) => line.startsWith('@example'));
  if (at < 0) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.startsWith('@'));
  return lines
    .slice(at + 1, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}
