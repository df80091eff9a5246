import { isRecord, SocialError } from '@gantry/wire';
import * as v from 'valibot';

/** Any JSON object. Unlike `v.record`, keeps keys such as `__proto__`: data (security rule 19). */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(isRecord, 'an object');

/** A list of at most `most` items. */
export function listOf<Schema extends v.GenericSchema>(item: Schema, most: number, least = 0) {
  return v.pipe(
    v.array(item, 'a list'),
    v.minLength(least, `a list of at least ${least}`),
    v.maxLength(most, `a list of at most ${most}`),
  );
}

/**
 * Validates untrusted data. Messages in schemas complete the sentence `<member> must be …`.
 *
 * @param name Name of the data in messages, for example `gadget.json`.
 * @throws SocialError BAD_REQUEST that names the first wrong member, but never quotes its value,
 * which may be a token.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  name: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return result.output;
  throw new SocialError('BAD_REQUEST', `${name}: ${issueMessage(result.issues[0])}`);
}

/** Returns one sentence about a failed check, such as `height must be a whole number`. */
export function issueMessage(issue: v.BaseIssue<unknown>): string {
  return `${memberPath(issue) || 'it'} must be ${issue.message}`;
}

function memberPath(issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 64)}`,
  );
  return keys.join('').replace(/^\./, '');
}
