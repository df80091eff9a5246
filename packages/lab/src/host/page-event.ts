import * as v from 'valibot';
import type { Report } from '../record/entry.ts';
import { observedMembers, schemasByKind } from '../record/event-members.ts';

// Parts of a report are written by apps, so each is bounded.
const word = v.pipe(v.string(), v.maxLength(200));
const members = observedMembers({
  word,
  words: v.pipe(v.array(word), v.maxLength(100)),
  text: v.pipe(
    v.string(),
    v.transform((value) => value.slice(0, 4_000)),
  ),
  amount: v.pipe(v.number(), v.finite(), v.minValue(0)),
});

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:~#-]{1,100}$/));
const place = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:~#/-]{1,200}$/));
const schemaOf = schemasByKind(members, { lab: id, app: v.optional(id), place: v.optional(place) });

/**
 * Rebuilds a report of a page, its gadgets or their agents from the members that it may have.
 *
 * @returns `undefined` for anything that no page may report.
 */
export function readPageEvent(input: unknown): Report | undefined {
  const schema = schemaOf(input);
  const read = schema && v.safeParse(schema, input);
  return read?.success ? (read.output as Report) : undefined;
}
