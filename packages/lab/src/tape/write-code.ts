/**
 * Writes plain data as an expression of TypeScript. Nothing in the data can be anything but data there: texts have no quote, no line
 * end and no template, and a member `__proto__` stays a member.
 */
export function writeCode(value: unknown): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'boolean' || value === null) return String(value);
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeCode).join(', ')}]`;
  if (typeof value !== 'object') return 'undefined';
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${writeName(name)}: ${writeCode(member)}`],
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** An expression among data. Never made of what a tape holds. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function writeName(name: string): string {
  if (name === '__proto__') return "['__proto__']"; // without brackets it sets the prototype
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : writeText(name);
}

/** Every sign that is not plain ASCII becomes an escape: an editor, a diff and a reader see what runs. */
function writeText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replace(/[^\u0020-\u007e\u00a1-\u024f]/g, escapeSign)}'`;
}

function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
