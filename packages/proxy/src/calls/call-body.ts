import { bounds, isWriteId } from '@gantry/wire';
import * as v from 'valibot';
import { jsonObject, listOf } from '../http/validate.ts';

const name = v.pipe(v.string('text'), v.minLength(1, 'given'), v.maxLength(128, 'at most 128 characters'));
/** Gadget tokens by instance. Their number is checked first: each costs a signature to verify. */
export const tokensSchema = v.pipe(
  jsonObject,
  v.check((tokens) => Object.keys(tokens).length <= bounds.tokens, `an object of at most ${bounds.tokens} tokens`),
  v.check((tokens) => Object.values(tokens).every(isToken), 'an object of tokens'),
);
const callSchema = v.object(
  {
    id: name,
    instance: name,
    operation: name,
    params: v.optional(jsonObject, {}),
    write: v.optional(v.custom<string>(isWriteId, 'at most 64 of the characters A-Z a-z 0-9 _ -')),
  },
  'an object with id, instance and operation',
);
export const callsSchema = v.object(
  {
    tokens: tokensSchema,
    calls: v.pipe(
      listOf(callSchema, 500),
      v.check((calls) => new Set(calls.map((call) => call.id)).size === calls.length, 'a list of unique ids'),
    ),
  },
  'an object with tokens and calls',
);

function isToken(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 4096;
}
