import { SocialError } from '@gantry/wire';
import * as v from 'valibot';

/** Any JSON object. Unlike `v.record` it keeps keys such as `__proto__`, which are data (security rule 19). */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
  'an object',
);

/**
 * Checks untrusted data. Messages in schemas say what would be right and continue `<member> must be …`.
 *
 * @param name What the data is called in messages, for example `gadget.json`.
 * @throws SocialError BAD_REQUEST naming the first member that is wrong, but never its value, which may be a token.
 */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  name: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return result.output;
  throw new SocialError('BAD_REQUEST', `${name}: ${complaint(result.issues[0])}`);
}

/** What is wrong, and what would be right: `height must be a whole number`. */
export function complaint(issue: v.BaseIssue<unknown>): string {
  return `${memberPath(issue) || 'it'} must be ${issue.message}`;
}

function memberPath(issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 64)}`,
  );
  return keys.join('').replace(/^\./, '');
}
