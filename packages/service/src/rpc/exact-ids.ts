import { isRecord } from '@gantry/wire';
import type { Json } from '../formats/read-json.ts';

/** `JSON` with "JSON.parse source text access" (TC39), which TypeScript's types still lack. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
}
const json = JSON as unknown as SourceJson;

/** Ids by the index of their call; `JSON.stringify` writes a numeric one exactly as received. */
export type ExactIds = readonly unknown[];

const none: ExactIds = [];

/**
 * Returns the exact ids where JavaScript would round a number: clients in other languages match
 * 64-bit ids by their digits. @param calls The parsed `text`.
 */
export function exactIds(calls: readonly Json[], text: string): ExactIds {
  if (!calls.some(hasRoundedId)) return none;
  const read = json.parse(text, (key, value, { source }) =>
    key === 'id' && typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  );
  return (Array.isArray(read) ? read : [read]).map((call: unknown) => (isRecord(call) ? call.id : undefined));
}

function hasRoundedId(call: Json): boolean {
  return isRecord(call) && typeof call.id === 'number' && !Number.isSafeInteger(call.id);
}
