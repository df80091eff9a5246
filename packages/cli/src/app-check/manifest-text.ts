import { readFileSync } from 'node:fs';
import { parseJson } from '@gantry/wire';
import { type Node, parseTree } from 'jsonc-parser';

// Changes lists of a manifest in its own text, so that order, indentation and line ends stay.

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Changes of one list. `drop` has indexes of elements. */
export interface ListChange {
  readonly add?: readonly string[];
  readonly drop?: readonly number[];
}

const schema: { readonly properties: object } = JSON.parse(
  readFileSync(new URL('../../gadget.schema.json', import.meta.url), 'utf8'),
);
/** Usual order of a manifest's members. */
const order = Object.keys(schema.properties);

/**
 * Adds strings to a list of the outermost object, and drops elements of it. A missing list is added
 * at its usual place. @param text JSON, an object.
 */
export function changeList(text: string, name: string, { add = [], drop = [] }: ListChange): string {
  if (add.length === 0 && drop.length === 0) return text;
  parseJson(text.replace(/^\uFEFF/, ''));
  const { offset = 0, children: members = [] } = parseTree(text) ?? {};
  const nameOf = (member: Node) => member.children?.[0]?.value as string;
  const list = members.findLast((each) => nameOf(each) === name)?.children?.[1];
  if (list) return replace(text, spanOf(list), listText(text, list, { add, drop }));
  const before = members.findLast((each) => order.indexOf(nameOf(each)) <= order.indexOf(name)) ?? members.at(-1);
  const at = before ? spanOf(before).end : offset + 1;
  const lead = (members[0] && text.slice(offset + 1, members[0].offset)) || ' ';
  const entry = `${JSON.stringify(name)}: [${add.map((each) => JSON.stringify(each)).join(', ')}]`;
  return replace(text, { start: at, end: at }, before ? `,${lead}${entry}` : `${lead}${entry}`);
}

function listText(text: string, list: Node, { add = [], drop = [] }: ListChange): string {
  const span = spanOf(list);
  const elements = (list.children ?? []).map(spanOf);
  const rest = elements.filter((_, index) => !drop.includes(index)).map(({ start, end }) => text.slice(start, end));
  const all = [...rest, ...add.map((each) => JSON.stringify(each))];
  const [first, second] = elements;
  const last = elements.at(-1);
  if (all.length === 0 || first === undefined || last === undefined) return `[${all.join(', ')}]`;
  const lead = text.slice(span.start + 1, first.start);
  const tail = text.slice(last.end, span.end - 1);
  const between = second ? text.slice(first.end, second.start) : /\n/.test(lead) ? `,${lead}` : ', ';
  return `[${lead}${all.join(between)}${tail}]`;
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

function replace(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
