import { extname } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type ParserPlugin, parse } from '@babel/parser';

type Program = ReturnType<typeof parse>['program'];
export type Statement = Program['body'][number];
type Of<Type extends Statement['type']> = Extract<Statement, { type: Type }>;
export type Expression = Of<'ExpressionStatement'>['expression'];
export type Call = Extract<Expression, { type: 'CallExpression' }>;
type Property = Extract<Expression, { type: 'ObjectExpression' }>['properties'][number];
export type Declarator = Of<'VariableDeclaration'>['declarations'][number];
type Value = Extract<Property, { type: 'ObjectProperty' }>['value'];
type Part = Call['callee'] | Call['arguments'][number];
export type Node = Program | Statement | Expression | Property | Value | Declarator | Part;

/** A parsed file in JavaScript or TypeScript. */
export interface Script {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  /** All nodes in the text's order. */
  readonly nodes: readonly Node[];
  /** Origins of local names: `express`, `express.json`. */
  readonly imports: ReadonlyMap<string, string>;
  /** Parsed without an error. */
  readonly isClean: boolean;
}

/** Time for one file: nested casts `<T>(<T>(…` take the parser twice as long for each level. */
const longestMs = 2_000;

/** Parses a file. Returns `undefined` if it is no code, is nested too deeply or takes too long. */
export function parseScript(path: string, text: string): Script | undefined {
  try {
    const parseText = () =>
      parse(text, {
        sourceType: 'unambiguous',
        errorRecovery: true,
        allowReturnOutsideFunction: true,
        plugins: pluginsFor(extname(path)),
      });
    const { program, errors } = runInNewContext('parseText()', { parseText }, { timeout: longestMs });
    const nodes = [...nodesIn(program)];
    return { path, text, program, nodes, imports: importsOf(nodes), isClean: errors.length === 0 };
  } catch {
    return undefined;
  }
}

function pluginsFor(extension: string): ParserPlugin[] {
  if (!/ts/.test(extension)) return ['jsx', 'decorators'];
  return ['typescript', 'decorators', ...(extension === '.tsx' ? ['jsx' as const] : [])];
}

/** Lists a node and all below it, in the text's order. */
export function* nodesIn(root: Node): Generator<Node> {
  const waiting: Node[] = [root]; // a long sum is nested too deeply for recursion
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const below = Object.entries(node).flatMap(([key, value]) => (/^loc$|[cC]omments$/.test(key) ? [] : value));
    waiting.push(...below.filter((value) => typeof value?.type === 'string').reverse());
  }
}

/** Lists the calls, those with `new` too, of imports with such an origin. */
export function callsOf(script: Script, origin: RegExp): readonly Call[] {
  return script.nodes.filter(
    (node): node is Call =>
      (node.type === 'CallExpression' || node.type === 'NewExpression') &&
      origin.test(originOf(script, node.callee) ?? ''),
  );
}

/** Returns the name of a called function or method: `listen` of `app.listen(3000)`. */
export function calledName({ callee }: Call): string | undefined {
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : undefined;
}

/** Returns the line of a node, from 1. */
export function lineOf({ loc }: Node): number {
  return loc?.start.line ?? 1;
}

/** Returns the import that an expression is or is a member of: `express.json`. Else `undefined`. */
export function originOf({ imports }: Pick<Script, 'imports'>, node: Node): string | undefined {
  if (node.type === 'Identifier') return imports.get(node.name);
  if (node.type === 'CallExpression') return requiredBy(node);
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  const origin = originOf({ imports }, node.object);
  return origin === undefined || node.property.name === 'default' ? origin : `${origin}.${node.property.name}`;
}

/** Returns the path of a file or name of a package that `require(…)` or `import(…)` gets. */
export function requiredBy(node: Node | null | undefined): string | undefined {
  if (node?.type !== 'CallExpression') return undefined;
  const [name] = node.arguments;
  const isImport =
    node.callee.type === 'Import' || (node.callee.type === 'Identifier' && node.callee.name === 'require');
  return isImport && name?.type === 'StringLiteral' ? plain(name.value) : undefined;
}

function importsOf(nodes: readonly Node[]): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  const add = (local: string, from: string, name?: string) =>
    imports.set(local, name === undefined || name === 'default' ? from : `${from}.${name}`);
  for (const node of nodes) {
    if (node.type === 'ImportDeclaration') {
      for (const each of node.specifiers) {
        const imported = each.type === 'ImportSpecifier' ? each.imported : undefined;
        add(each.local.name, plain(node.source.value), imported?.type === 'Identifier' ? imported.name : undefined);
      }
    } else if (node.type === 'VariableDeclarator' && node.init) {
      const from = originOf({ imports }, node.init);
      if (from === undefined) continue;
      if (node.id.type === 'Identifier') add(node.id.name, from);
      if (node.id.type !== 'ObjectPattern') continue;
      for (const each of node.id.properties) {
        if (each.type !== 'ObjectProperty' || each.key.type !== 'Identifier') continue;
        if (each.value.type === 'Identifier') add(each.value.name, from, each.key.name);
      }
    }
  }
  return imports;
}

function plain(name: string): string {
  return name.replace(/^node:/, '');
}
