import * as v from 'valibot';
import type { Happening, Report } from '../record/entry.ts';

// Parts of a report are written by apps, so each is rebuilt member by member.

const word = v.pipe(v.string(), v.maxLength(200));
const text = v.pipe(
  v.string(),
  v.transform((value) => value.slice(0, 4_000)),
);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const where = v.optional(v.object({ file: text, line: count, column: v.optional(count) }));
const error = v.object({
  code: v.number(),
  message: text,
  data: v.optional(
    v.object({
      reason: v.optional(word),
      retryAfter: v.optional(amount),
      missing: v.optional(v.pipe(v.array(word), v.maxLength(100))),
    }),
  ),
});
const result = { ok: v.optional(v.unknown()), error: v.optional(error), size: count };

const happening = v.variant('kind', [
  v.object({
    kind: v.literal('handshake'),
    sdk: v.optional(word),
    capabilities: v.pipe(v.array(word), v.maxLength(100)),
  }),
  v.object({ kind: v.literal('context'), context: v.unknown() }),
  v.object({ kind: v.literal('call'), call: count, operation: word, params: v.unknown() }),
  v.object({
    kind: v.literal('decision'),
    call: count,
    decision: v.picklist(['fresh', 'stale', 'asked', 'joined', 'optimistic', 'queued']),
    ageMs: v.optional(amount),
  }),
  v.object({ kind: v.literal('reply'), call: count, ...result, tookMs: amount }),
  v.object({ kind: v.literal('push'), call: count, ...result }),
  v.object({ kind: v.literal('event'), name: word, data: v.unknown() }),
  v.object({ kind: v.literal('action'), name: word, params: v.unknown(), error: v.optional(error) }),
  v.object({
    kind: v.literal('load'),
    what: v.picklist(['start', 'ready', 'update', 'reload', 'end', 'failed']),
    why: v.optional(word),
    error: v.optional(error),
  }),
  v.object({ kind: v.literal('incident'), name: word, detail: v.unknown() }),
  v.object({
    kind: v.literal('script-error'),
    message: text,
    stack: v.optional(text),
    where,
    rejection: v.optional(v.boolean()),
  }),
  v.object({ kind: v.literal('policy'), directive: word, blocked: text, where }),
  v.object({
    kind: v.literal('console'),
    level: v.picklist(['debug', 'log', 'info', 'warn', 'error']),
    text,
    where,
  }),
  v.object({ kind: v.literal('long-task'), ms: amount }),
  v.object({ kind: v.literal('file'), element: word, address: text }),
  v.object({ kind: v.literal('sandbox'), name: word, target: v.optional(text), where }),
  v.object({ kind: v.literal('left-out'), count }),
  v.object({ kind: v.literal('clock'), jumpMs: v.pipe(v.number(), v.finite()) }),
]);

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:~#-]{1,100}$/));
const place = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:~#/-]{1,200}$/));
const head = v.object({ lab: id, app: v.optional(id), place: v.optional(place) });

/**
 * Rebuilds a report of a page, its gadgets or their agents from the members that it may have.
 *
 * @example
 * const report = { kind: 'long-task', ms: 80, lab: 'lab' };
 * readPageHappening({ ...report, more: 1 }); // { kind: 'long-task', ms: 80, lab: 'lab' }
 * readPageHappening({ ...report, kind: 'upstream' }); // undefined
 * @returns `undefined` for anything that no page may report.
 */
export function readPageHappening(input: unknown): Report | undefined {
  const told = v.safeParse(happening, input);
  const at = v.safeParse(head, input);
  return told.success && at.success ? ({ ...(told.output as Happening), ...at.output } as Report) : undefined;
}
