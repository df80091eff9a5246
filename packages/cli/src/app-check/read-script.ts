import { type ParserOptions, parse, parseExpression } from '@babel/parser';
import { createScope, declare, member, type Node, nameOf, pathOf, type Scope, unknown } from './scope.ts';
import { type Contents, hole, type Part, type Script, tagUse, textUses, type Use } from './use.ts';

export type Plugins = NonNullable<ParserOptions['plugins']>;

const isType = /^TS(?:TypeAliasDeclaration|InterfaceDeclaration|DeclareFunction)$/;
const isTypeField = /^(?:type(?:Annotation|Parameters|Arguments)|returnType|superType\w+|implements)$/;

/**
 * Adds uses of scripts that share a window to their contents, but for names that they declare.
 *
 * @param text Text of the file.
 * @returns Markup of tagged templates, and names that the scripts add to the window.
 */
export function readScripts({ scripts, declared, uses, problems }: Contents, text: string, plugins: Plugins) {
  const root = createScope();
  const template = createScope(declared, root);
  const nodes: [Node, Scope][] = [];
  const markup: Part[] = [];
  for (const script of scripts) {
    try {
      const node = parseScript(script, plugins);
      const handler = script.isHandler ? { type: 'Handler', start: node.start, arguments: [node] } : node;
      nodes.push([handler, script.isTemplate ? template : root]);
    } catch (error) {
      if (!script.isGuess) problems.push(problemOf(error, script.at));
    }
  }
  const isModule = nodes.some(([node]) => node.sourceType === 'module');
  // the list grows while it is read: deep trees do not overflow the stack
  for (const [node, scope] of nodes) {
    if (/^Object(?:Method|Property)$/.test(node.type)) template.names.set(nameOf(node, 'key'), unknown);
    const inner = declare(node, scope);
    for (const child of childrenOf(node)) nodes.push([child, inner]);
  }
  for (const [node, scope] of nodes) {
    const isMarkup =
      node.type === 'TaggedTemplateExpression' && /\b(?:html|svg)$/.test(pathOf(node.tag as Node, scope));
    if (isMarkup) markup.push(markupOf(node.quasi as Node, text));
    for (const use of usesOf(node, scope)) if (!use.code.includes('~') || use.code.endsWith(')')) uses.push(use);
  }
  return { markup, globals: isModule ? [] : [...root.names.keys()] };
}

/** @throws SyntaxError, and RangeError for deep nesting. */
function parseScript({ text, at, isTemplate }: Script, plugins: Plugins): Node {
  // without errorRecovery: 20,000 nested labels of one name are 200,000,000 errors
  const options: ParserOptions = {
    ...{ plugins, startIndex: at, attachComment: false, sourceType: 'unambiguous', allowUndeclaredExports: true },
    ...{ allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, allowNewTargetOutsideFunction: true },
  };
  if (isTemplate) {
    try {
      return parseExpression(text, options) as unknown as Node;
    } catch {
      // statements
    }
  }
  return parse(text, options).program as unknown as Node;
}

/** Returns the end of the expression at a position, and throws as `parseScript` does. */
export function expressionEnd(text: string, startIndex: number, plugins: Plugins): number {
  try {
    parseExpression(text.slice(startIndex), { plugins, startIndex, attachComment: false });
    return text.length;
  } catch (error) {
    const { reasonCode, loc } = error as { readonly reasonCode?: string; readonly loc: { readonly index: number } };
    if (reasonCode === 'ParseExpressionExpectsEOF') return loc.index;
    throw error;
  }
}

/** Returns why a script that starts at a position cannot be parsed. */
export function problemOf(error: unknown, at: number): Contents['problems'][number] {
  if (error instanceof RangeError) return { at, what: 'is nested too deeply' };
  const { message, loc } = error as Error & { readonly loc?: { readonly index: number } };
  return { at: loc?.index ?? at, what: `is no script: ${message.replace(/\.? \(\d+:\d+\)$/, '').slice(0, 200)}` };
}

/** Returns the nodes in a node that are no types and no plain names of members. */
function childrenOf(node: Node): readonly Node[] {
  if (isType.test(node.type) || node.declare || node.operator === 'typeof') return [];
  return Object.entries(node).flatMap(([field, value]) => {
    if (typeof value !== 'object' || value === null || field === 'loc' || isTypeField.test(field)) return [];
    if (/^(?:property|key|label|imported)$/.test(field) && !node.computed) return [];
    return (Array.isArray(value) ? value : [value]).filter((each): each is Node => typeof each?.type === 'string');
  });
}

function usesOf(node: Node, scope: Scope): readonly Use[] {
  const { type, start: at } = node;
  const field = (name: string) => node[name] as Node;
  const read = (code: string, nameAt = at): Use => ({ code, at, nameAt });
  const passed = (nodes: unknown) =>
    (nodes as Node[]).flatMap((each) => (/^Identifier$|MemberExpression$/.test(each.type) ? callOf(each, scope) : []));
  if (type === 'Identifier') return pathOf(node, scope) === node.name ? [read(node.name)] : [];
  if (/MemberExpression$/.test(type)) return [read(pathOf(node, scope), field('property').start)];
  if (type === 'StringLiteral') return textUses({ text: node.value as string, at: at + 1 });
  if (type === 'TemplateElement') return textUses({ text: (node.value as { readonly raw: string }).raw, at });
  if (type === 'JSXOpeningElement') return elementUses(node);
  if (type === 'JSXExpressionContainer') return passed([node.expression]);
  if (type === 'TaggedTemplateExpression') return passed(field('quasi').expressions);
  if (type === 'Handler') return passed(node.arguments);
  if (/CallExpression$|^NewExpression$/.test(type))
    return [callOf(field('callee'), scope, node), ...passed(node.arguments), ...paramsOf(node, scope)];
  if (/^Class/.test(type) && node.superClass)
    return [callOf(field('superClass'), scope, { ...node, type: 'NewExpression' })];
  if (type !== 'VariableDeclarator' || field('id').type !== 'ObjectPattern') return [];
  const path = pathOf(field('init'), scope);
  return (field('id').properties as Node[]).map((each) => {
    const code = each.type === 'ObjectProperty' ? member(path, nameOf(each, 'key')) : '~';
    return { code, at: each.start, nameAt: each.start };
  });
}

/** Returns the call of a function: by `call`, or by others to which it is passed. */
function callOf(callee: Node, scope: Scope, call?: Node): Use {
  const [first] = (call?.arguments ?? []) as Node[];
  const argument = first?.type === 'StringLiteral' ? JSON.stringify((first.value as string).slice(0, 20)) : '…';
  const path = pathOf(callee, scope).replace(/\.(?:call|apply|bind)$/, '');
  const code = `${call?.type === 'NewExpression' ? 'new ' : ''}${path}(${call && !first ? '' : argument})`;
  return { code, at: call?.start ?? callee.start, nameAt: ((callee.property as Node | undefined) ?? callee).start };
}

const isOsapiCall = /\bosapi\.\w+\.\w+$/;

/** Returns the parameters of a call of `osapi` that stand in it: `~osapi.people.get({fields})`. */
function paramsOf(call: Node, scope: Scope): readonly Use[] {
  const [params] = call.arguments as readonly (Node & { readonly properties?: readonly Node[] })[];
  const path = params?.properties ? pathOf(call.callee as Node, scope) : '';
  if (!isOsapiCall.test(path)) return [];
  return (params?.properties ?? [])
    .filter(({ type }) => type !== 'SpreadElement')
    .map((each) => ({ code: `${path}({${nameOf(each, 'key')}})`, at: each.start, nameAt: each.start }));
}

function elementUses({ name: tag, attributes }: Node): readonly Use[] {
  const { type, name, start: at } = tag as Node & { readonly name: string };
  if (type !== 'JSXIdentifier' || !/^[a-z]/.test(name)) return [];
  const named = (attributes as Node[]).filter((each) => each.type === 'JSXAttribute');
  const uses = named.map(({ name: key, value, start }) => {
    const inner = ((value as Node | null)?.expression ?? value) as Node | null;
    const text = inner?.type === 'StringLiteral' ? inner.value : inner ? hole : '';
    return tagUse({ name, at }, String((key as Node).name), start, { text: String(text), at: start });
  });
  return [tagUse({ name, at }), ...uses];
}

/** Returns a tagged template, with holes of the same length for its expressions. */
function markupOf({ quasis }: Node, text: string): Part {
  const pieces = quasis as readonly (Node & { readonly end: number })[];
  const at = pieces[0]?.start ?? 0;
  const markup = pieces.map(
    ({ start, end }, index) => text.slice(start, end) + hole.repeat((pieces[index + 1]?.start ?? end) - end),
  );
  return { text: markup.join(''), at };
}
