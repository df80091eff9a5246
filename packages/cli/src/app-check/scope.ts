/** A node of Babel's tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Members of an expression from which a name comes, if it is known. */
interface Origin {
  readonly from?: Node | undefined;
  readonly members: readonly string[];
}

/** Names of a file, template or function, and of all blocks in it. */
export interface Scope {
  readonly names: Map<string, Origin>;
  readonly outer?: Scope;
}

/** Members and other names that are followed from a name. */
const mostSteps = 12;
export const unknown: Origin = { members: [] };
const isWindow = /^(?:window|globalThis|self)$/;
const isWrapper = /^(?:TS(?:As|NonNull|Satisfies|Instantiation)Expression|TSTypeAssertion|AwaitExpression)$/;

export function createScope(names: Iterable<string> = [], outer?: Scope): Scope {
  return { names: new Map(Array.from(names, (name) => [name, unknown])), ...(outer && { outer }) };
}

/** Adds the names that a node declares to its scope, and returns the scope inside the node. */
export function declare(node: Node, scope: Scope): Scope {
  const { type, id, local, init, param, params } = node as Node & { readonly [field: string]: Node };
  if (type === 'VariableDeclarator') bind(scope, id, { from: init, members: [] });
  else if (type === 'ImportSpecifier') bind(scope, local, { members: [nameOf(node, 'imported')] });
  else if (/^Import\w+Specifier$/.test(type)) bind(scope, local);
  else if (type === 'CatchClause') bind(scope, param);
  else if (/Declaration$/.test(type)) bind(scope, id);
  if (!/Function|Method$/.test(type)) return scope;
  const inner = createScope([], scope);
  for (const each of [type === 'FunctionExpression' ? id : undefined, ...((params ?? []) as unknown as Node[])])
    bind(inner, each);
  return inner;
}

function bind({ names }: Scope, pattern: Node | undefined, origin = unknown): void {
  const bound: [Node | undefined, Origin][] = [[pattern, origin]];
  for (const [node, { from, members }] of bound) {
    if (!node) continue;
    if (node.type === 'Identifier') names.set(node.name as string, { from, members });
    for (const property of (node.properties ?? []) as Node[]) {
      const isRest = property.type === 'RestElement';
      const inner = isRest ? members : [...members, nameOf(property, 'key')];
      bound.push([(isRest ? property.argument : property.value) as Node, { from, members: inner }]);
    }
    for (const element of (node.elements ?? []) as Node[]) bound.push([element, unknown]);
    bound.push([(node.left ?? node.argument ?? node.parameter) as Node | undefined, { from, members }]);
  }
}

/** Returns the name that a member, key or import has, or '' if it is computed. */
export function nameOf(node: Node, field: 'property' | 'key' | 'imported'): string {
  const { type, name, value, quasis } = node[field] as Node;
  if (type === 'TemplateLiteral')
    return (quasis as Node[]).map((each) => (each.value as { raw: string }).raw).join('~');
  if (type === 'StringLiteral') return value as string;
  return type === 'Identifier' && !node.computed ? (name as string) : '';
}

/**
 * Returns where a value comes from, in the form of `Use`: `navigator.clipboard`, `~osapi.people`.
 * Names of the window stand without it.
 */
export function pathOf(node: Node | undefined, scope: Scope, steps = 0): string {
  if (!node || steps > mostSteps) return '~';
  const next = (field: string) => pathOf(node[field] as Node, scope, steps + 1);
  if (node.type === 'Identifier') return pathOfName(node.name as string, scope, steps);
  if (/^(?:ThisExpression|Super)$/.test(node.type)) return '~this';
  if (/MemberExpression$/.test(node.type)) return member(next('object'), nameOf(node, 'property'));
  if (node.type === 'SequenceExpression') return pathOf((node.expressions as Node[]).at(-1), scope, steps + 1);
  if (node.type === 'LogicalExpression') return next('left');
  return isWrapper.test(node.type) ? next(node.type === 'AwaitExpression' ? 'argument' : 'expression') : '~';
}

function pathOfName(name: string, scope: Scope | undefined, steps: number): string {
  if (!scope) return name;
  const origin = scope.names.get(name);
  if (!origin) return pathOfName(name, scope.outer, steps);
  const path = origin.members.reduce(member, pathOf(origin.from, scope, steps + 1));
  return path === '~' ? `~${name}` : path;
}

export function member(path: string, name: string): string {
  return isWindow.test(path) && name !== '' ? name : `${path}.${name}`;
}
