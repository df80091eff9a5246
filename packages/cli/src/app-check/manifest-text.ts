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

const order = [
  '$schema',
  'name',
  'page',
  'views',
  'sizing',
  'height',
  'uses',
  'fields',
  'optional',
  'hosts',
  'preload',
  'storage',
];

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
  const written = add.map((each) => JSON.stringify(each));
  if (member) return replace(text, member.value, listText(text, member.value, { written, drop }));
  const before = members.filter((each) => order.indexOf(each.name) <= order.indexOf(name)).at(-1) ?? members.at(-1);
  const at = before?.value.end ?? open + 1;
  const first = members[0];
  const lead = (first && text.slice(open + 1, first.key.start)) || ' ';
  const own = `${JSON.stringify(name)}: [${written.join(', ')}]`;
  return replace(text, { start: at, end: at }, before ? `,${lead}${own}` : `${lead}${own}`);
}

function listText(
  text: string,
  span: Span,
  { written, drop }: { readonly written: readonly string[]; readonly drop: readonly number[] },
): string {
  const elements = elementsOf(text, span.start);
  const slices = elements.map(({ start, end }) => text.slice(start, end));
  const all = [...slices.filter((_, index) => !drop.includes(index)), ...written];
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
  const members: Member[] = [];
  for (let at = skipSpace(text, open + 1); text[at] === '"'; at = skipSpace(text, at)) {
    const key = { start: at, end: endOfValue(text, at) };
    const start = skipSpace(text, skipSpace(text, key.end) + 1); // after the colon
    const value = { start, end: endOfValue(text, start) };
    members.push({ name: JSON.parse(text.slice(key.start, key.end)), key, value });
    at = skipSpace(text, value.end) + 1; // after the comma, or the end
  }
  return members;
}

function elementsOf(text: string, open: number): readonly Span[] {
  const spans: Span[] = [];
  for (let at = skipSpace(text, open + 1); at < text.length && text[at] !== ']'; at = skipSpace(text, at)) {
    const end = endOfValue(text, at);
    spans.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] !== ',') break;
    at += 1;
  }
  return spans;
}

/** Returns the position after the JSON value that begins at `at`. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^\s"[\]{},:]+/g;
  token.lastIndex = at;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '[' || found[0] === '{') depth += 1;
    else if (found[0] === ']' || found[0] === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return text.length;
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && /\s/.test(text[end] as string)) end += 1;
  return end;
}

function replace(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
