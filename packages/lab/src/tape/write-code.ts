/** Writes plain data as a TypeScript expression, which no data can leave. */
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

/** An expression in the data. Never made from the content of a tape. */
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

/** Escapes all but plain ASCII: an editor and a diff show exactly what runs. */
function writeText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replace(/[^\u0020-\u007e\u00a1-\u024f]/g, escapeSign)}'`;
}

/** Escapes a character for a string in code. */
function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
