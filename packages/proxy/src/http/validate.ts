import { isRecord } from '@gantry/wire';
import * as v from 'valibot';

/** Any JSON object. Unlike `v.record`, keeps keys such as `__proto__`: data (security rule 19). */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(isRecord, 'an object');

export function listOf<Schema extends v.GenericSchema>(item: Schema, most: number, least = 0) {
  return v.pipe(
    v.array(item, 'a list'),
    v.minLength(least, `a list of at least ${least}`),
    v.maxLength(most, `a list of at most ${most}`),
  );
}

/** Returns the messages of a strict object: for another value, a missing and an unknown member. */
export function shape(right: string, onlyMembers: string) {
  return ({ expected }: v.BaseIssue<unknown>) => {
    if (expected === 'never') return `left out: ${onlyMembers}`;
    return expected?.startsWith('"') ? 'given' : right;
  };
}

/** Returns a sentence such as `height must be a whole number`: messages of schemas complete it. */
export function issueMessage(issue: v.BaseIssue<unknown>): string {
  const path = issue.path ?? [];
  const keys = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 64)}`));
  return `${keys.join('').replace(/^\./, '') || 'it'} must be ${issue.message}`;
}
