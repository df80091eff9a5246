import { isRecord } from '@gantry/wire';

/** A call as an app makes it, or as a tape has it. */
export interface ComparedCall {
  readonly operation: string;
  readonly params: unknown;
}

/** Params whose values are words of the API, which redaction keeps. */
const apiWords: ReadonlySet<string> = new Set([
  ...['fields', 'groupId', 'filterBy', 'filterOp', 'sortBy', 'sortOrder', 'format', 'method', 'type'],
]);
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const generatedId = /^(?=.*\d)[\w-]{16,}$/;
const deepest = 64;

/**
 * Returns whether a call matches one of the tape: the same operation, and parameters of the same
 * shape. Generated ids and times may differ. On a redacted tape a text matches any text with the
 * same kinds of characters.
 */
export function isSameCall(recorded: ComparedCall, made: ComparedCall, { isRedacted = false } = {}): boolean {
  return recorded.operation === made.operation && isSame(recorded.params, made.params, { isRedacted, depth: 0 });
}

interface Comparison {
  readonly isRedacted: boolean;
  readonly depth: number;
  readonly name?: string;
}

function isSame(recorded: unknown, made: unknown, at: Comparison): boolean {
  if (Object.is(recorded, made)) return true;
  if (at.depth > deepest) return false;
  const below = { ...at, depth: at.depth + 1 };
  if (typeof recorded === 'string' && typeof made === 'string') return isSameText(recorded, made, at);
  if (typeof recorded === 'number' && typeof made === 'number') return isTime(recorded) && isTime(made);
  if (Array.isArray(recorded) && Array.isArray(made)) {
    return recorded.length === made.length && recorded.every((item, index) => isSame(item, made[index], below));
  }
  if (!isRecord(recorded) || !isRecord(made)) return false;
  const names = Object.keys(recorded);
  if (names.length !== Object.keys(made).length) return false;
  return names.every((name) => Object.hasOwn(made, name) && isSame(recorded[name], made[name], { ...below, name }));
}

function isSameText(recorded: string, made: string, { isRedacted, name }: Comparison): boolean {
  if (isoTime.test(recorded) && isoTime.test(made)) return true;
  if (generatedId.test(recorded) && generatedId.test(made)) return true;
  if (!isRedacted || recorded.startsWith('@') || made.startsWith('@')) return false;
  if (name !== undefined && apiWords.has(name)) return false;
  return shapeOf(recorded) === shapeOf(made);
}

/** Milliseconds since the epoch, between the years 2001 and 2286. */
function isTime(value: number): boolean {
  return Number.isInteger(value) && value >= 1e12 && value < 1e13;
}

function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/(?!A)\p{L}/gu, 'a')
    .replace(/\p{N}/gu, '0');
}
