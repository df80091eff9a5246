import { lineEnding } from '../project/edit-text.ts';
import {
  type Call,
  lineOf,
  type Node,
  parseScript,
  requiredBy,
  type Script,
  type Statement,
} from '../project/script.ts';
import type { ModuleForm } from './node-source.ts';
import type { Paste } from './plan.ts';

/** File with the line in it, or the lines for its owner. */
export interface Wiring {
  readonly after: string;
  readonly paste?: Paste;
}

/** Declaration of one variable by a call, and the statements after it. */
export interface OwnStatement {
  readonly name: string;
  readonly statement: Statement;
  readonly rest: readonly Statement[];
}

/** Finds the statement that does nothing but declare a variable by a call. */
export function statementOf({ nodes }: Script, call: Call): OwnStatement | undefined {
  for (const block of nodes) {
    if (block.type !== 'Program' && block.type !== 'BlockStatement') continue;
    for (const [index, statement] of block.body.entries()) {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      const [variable, ...others] = declared?.type === 'VariableDeclaration' ? declared.declarations : [];
      if (variable?.init !== call || variable.id.type !== 'Identifier' || others.length > 0) continue;
      return { name: variable.id.name, statement, rest: block.body.slice(index + 1) };
    }
  }
  return undefined;
}

/** The name that a file takes from the module, and the line that uses it. */
export interface Use {
  readonly name: 'gantryListener' | 'addGantry';
  readonly line: (name: string) => string;
}

/** Returns the lines that use the module: one with `require`, else one and its import. */
export function useLines({ hasImports, importEnding }: ModuleForm, { name, line }: Use): readonly string[] {
  const from = `'./gantry${importEnding}'`;
  return hasImports ? [`import { ${name} } from ${from};`, line(name)] : [line(`require(${from}).${name}`)];
}

/**
 * Inserts the line after a statement, and its import after the last one.
 *
 * @returns `undefined` if a line has more than its statement, or no import shows the place.
 */
export function insertLine(script: Script, form: ModuleForm, after: Statement, use: Use): string | undefined {
  const { path, text, program } = script;
  const lines = useLines(form, use);
  const imported = program.body.findLast(({ type }) => type === 'ImportDeclaration');
  const places = form.hasImports ? [imported, after] : [after];
  const ends = places.map((statement) => statement && lineEnd(text, statement));
  const indent = /[ \t]*$/.exec(text.slice(0, after.start as number))?.[0] ?? '';
  const isAlone = indent.length === after.loc?.start.column && ends.every((end) => end !== undefined);
  if (!isAlone) return undefined;
  const changed = ends.reduceRight<string>((done, at, index) => {
    const line = (index === ends.length - 1 ? indent : '') + lines[index];
    return `${done.slice(0, at)}${lineEnding(text)}${line}${done.slice(at)}`;
  }, text);
  return parseScript(path, changed)?.isClean ? changed : undefined;
}

/** Returns the end of a statement's last line, if nothing but a comment follows in it. */
function lineEnd(text: string, { end }: Statement): number | undefined {
  const rest = /^.*/.exec(text.slice(end as number))?.[0] ?? '';
  return /^\s*(\/\/.*)?$/.test(rest) ? (end as number) + rest.length : undefined;
}

/** Returns the lines for the owner of the site, who inserts them. */
export function pasteLines(script: Script, form: ModuleForm, near: Node, use: Use, where: string): Paste {
  return { path: script.path, line: lineOf(near), where, lines: useLines(form, use) };
}

/** Returns whether a file already imports the module. */
export function isWired({ nodes }: Script): boolean {
  return nodes.some((node) => {
    const from = node.type === 'ImportDeclaration' ? node.source.value : requiredBy(node);
    return /^\.{1,2}\/(?:[\w./-]*\/)?gantry(?:\.[mc]?[jt]s)?$/.test(from ?? '');
  });
}
