const mostText = 2_000;
const mostItems = 20;
const mostDepth = 3;

/**
 * Writes values as one text, as a console shows them: at most 2,000 characters, 20 items of a list
 * or object, three levels. Reads no more than it writes, however large a value is.
 */
export function summarize(values: readonly unknown[]): string {
  const budget = { left: mostText };
  const parts: string[] = [];
  for (const value of values.slice(0, mostItems)) {
    if (budget.left <= 0) break;
    parts.push(typeof value === 'string' ? take(value, budget) : textOf(value, 0, budget));
  }
  const text = parts.join(' ');
  return text.length > mostText || budget.left <= 0 ? `${text.slice(0, mostText)} …` : text;
}

interface Budget {
  left: number;
}

function textOf(value: unknown, depth: number, budget: Budget): string {
  if (budget.left <= 0) return '…';
  if (typeof value === 'string') return JSON.stringify(take(value, budget));
  if (typeof value === 'function') return take(`ƒ ${value.name || '(anonymous)'}`, budget);
  if (typeof value !== 'object' || value === null) {
    return take(typeof value === 'bigint' ? `${value}n` : String(value), budget);
  }
  if (value instanceof Error) return take(`${value.name}: ${value.message}`, budget);
  if (value instanceof Date) return take(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString(), budget);
  if (typeof Element === 'function' && value instanceof Element)
    return take(`<${value.tagName.toLowerCase()}>`, budget);
  if (Array.isArray(value)) return depth >= mostDepth ? '[…]' : `[${listText(value, depth, budget)}]`;
  const name = nameOf(value);
  return depth >= mostDepth ? `${name}{…}` : `${name}{ ${membersText(value, depth, budget)} }`;
}

function listText(list: readonly unknown[], depth: number, budget: Budget): string {
  const parts = list.slice(0, mostItems).map((item) => textOf(item, depth + 1, budget));
  return [...parts, ...more(list.length - parts.length)].join(', ');
}

function membersText(value: object, depth: number, budget: Budget): string {
  const parts: string[] = [];
  let count = 0;
  for (const key in value) {
    count += 1;
    if (count > mostItems || budget.left <= 0) break;
    if (!Object.hasOwn(value, key)) continue;
    const member = Object.getOwnPropertyDescriptor(value, key); // getters are not called
    const text = member && 'value' in member ? textOf(member.value, depth + 1, budget) : '(…)';
    parts.push(`${take(key, budget)}: ${text}`);
  }
  return [...parts, ...(count > mostItems ? ['…'] : [])].join(', ');
}

function nameOf(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === 'string' && name !== 'Object' ? `${name.slice(0, 40)} ` : '';
}

function more(count: number): readonly string[] {
  return count > 0 ? [`… ${count} more`] : [];
}

function take(text: string, budget: Budget): string {
  const part = text.slice(0, Math.max(0, budget.left));
  budget.left -= part.length;
  return part.length < text.length ? `${part}…` : part;
}
