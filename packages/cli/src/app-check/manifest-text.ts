import { readFileSync } from 'node:fs';

// Changes lists of a manifest in its own text, so that order, indentation and line ends stay.

/** A part of a text. */
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
 * at its usual place.
 *
 * @param text JSON, an object.
 */
export function changeList(text: string, name: string, { add = [], drop = [] }: ListChange): string {
  if (add.length === 0 && drop.length === 0) return text;
  const open = text.indexOf('{');
  const members = membersOf(text, open);
  const member = members.findLast((each) => each.name === name);
  if (member) return replace(text, member.value, listText(text, member.value, { add, drop }));
  const before = members.filter((each) => order.indexOf(each.name) <= order.indexOf(name)).at(-1) ?? members.at(-1);
  const at = before?.value.end ?? open + 1;
  const first = members[0];
  const lead = (first && text.slice(open + 1, first.key.start)) || ' ';
  const own = `${JSON.stringify(name)}: [${add.map((each) => JSON.stringify(each)).join(', ')}]`;
  return replace(text, { start: at, end: at }, before ? `,${lead}${own}` : `${lead}${own}`);
}

function listText(text: string, span: Span, { add = [], drop = [] }: ListChange): string {
  const elements = itemsOf(text, span.start);
  const kept = elements.filter((_, index) => !drop.includes(index)).map(({ start, end }) => text.slice(start, end));
  const all = [...kept, ...add.map((each) => JSON.stringify(each))];
  const [first, second] = elements;
  const last = elements.at(-1);
  if (all.length === 0 || first === undefined || last === undefined) return `[${all.join(', ')}]`;
  const lead = text.slice(span.start + 1, first.start);
  const tail = text.slice(last.end, span.end - 1);
  const between = second ? text.slice(first.end, second.start) : /\n/.test(lead) ? `,${lead}` : ', ';
  return `[${lead}${all.join(between)}${tail}]`;
}

interface Member {
  readonly name: string;
  readonly key: Span;
  readonly value: Span;
}

function membersOf(text: string, open: number): readonly Member[] {
  return itemsOf(text, open).map(({ start, end }) => {
    const [toValue = '', key = ''] = /^("(?:[^"\\]|\\.)*")\s*:\s*/.exec(text.slice(start, end)) ?? [];
    const value = { start: start + toValue.length, end };
    return { name: JSON.parse(key), key: { start, end: start + key.length }, value };
  });
}

/** Returns the members of the object, or the elements of the list, that begins at `open`. */
function itemsOf(text: string, open: number): readonly Span[] {
  const items: Span[] = [];
  let depth = 0;
  let start: number | undefined;
  let end = open;
  const token = /"(?:[^"\\]|\\.)*"|[^\s"]/g;
  token.lastIndex = open + 1;
  for (const { 0: found, index } of text.matchAll(token)) {
    const isClosing = found === ']' || found === '}';
    if (depth === 0 && (isClosing || found === ',')) {
      if (start !== undefined) items.push({ start, end });
      if (isClosing) break;
      start = undefined;
    } else {
      start ??= index;
      end = index + found.length;
      if (found === '[' || found === '{') depth += 1;
      else if (isClosing) depth -= 1;
    }
  }
  return items;
}

function replace(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
