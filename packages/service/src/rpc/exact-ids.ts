import { isRecord } from '@gantry/wire';
import type { Json } from '../read-json.ts';

/** `JSON` as TC39's "JSON.parse source text access" has it, which the types do not know yet. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
}
const json = JSON as unknown as SourceJson;

/** Ids by the place of their call; one that is a number is written by `JSON.stringify` exactly as it came. */
export type ExactIds = readonly unknown[];

const none: ExactIds = [];

/**
 * The ids that JavaScript's numbers would change: clients match the 64-bit ids of other languages by their digits.
 *
 * @param calls What `text` was parsed to, which is known to be good JSON.
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
