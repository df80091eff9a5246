const mostOfText = 80;
const mostItems = 8;
const mostDepth = 4;

/** Writes a value in one line and about 300 characters. A getter that throws is named so. */
export function brief(value: unknown, most = 300): string {
  return cut(write(value, 0), most);
}

/** Cuts a text off for a message. */
export function cut(text: string, most = 300): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Indents the first items of a list, each of one or several lines, and counts the others. */
export function listed(items: readonly (string | readonly string[])[], most = 10): readonly string[] {
  const more = items.length > most ? [`… ${items.length - most} more`] : [];
  return [...items.slice(0, most).flat(), ...more].map((line) => `  ${line}`);
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isMatcher(value)) return matcherName(value);
  if (depth === mostDepth) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item) => write(item, depth + 1));
    if (value.length > mostItems) items.push(`… ${value.length - mostItems} more`);
    return `[${items.join(', ')}]`;
  }
  const keys = Object.keys(value);
  const members = keys.slice(0, mostItems).map((key) => `${quoted(key)}: ${writeMember(value, key, depth + 1)}`);
  if (keys.length > mostItems) members.push(`… ${keys.length - mostItems} more`);
  return `{${members.join(', ')}}`;
}

function writeMember(value: object, key: string, depth: number): string {
  try {
    return write(Reflect.get(value, key), depth);
  } catch {
    return '[a getter that throws]';
  }
}

function quoted(text: string): string {
  return text.length <= mostOfText
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, mostOfText))}… (${text.length} characters)`;
}

/** A matcher such as `expect.any(String)`. */
export interface ValueMatcher {
  asymmetricMatch(value: unknown): boolean;
}

export function isMatcher(value: unknown): value is ValueMatcher {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function';
}

function matcherName(value: ValueMatcher): string {
  const { toAsymmetricMatcher } = value as { toAsymmetricMatcher?: () => unknown };
  const name = typeof toAsymmetricMatcher === 'function' ? toAsymmetricMatcher.call(value) : String(value);
  return typeof name === 'string' ? name : 'a matcher';
}
