import * as v from 'valibot';
import type { Happening } from '../record.ts';
import type { TapeEntry, TapeHead } from '../tape/tape.ts';
import { readPageHappening } from './page-happening.ts';

// A tape is a file that anybody may have written: each line is rebuilt member by member before it is shown.

const word = v.pipe(v.string(), v.maxLength(200));
const text = v.pipe(
  v.string(),
  v.transform((value) => value.slice(0, 4_000)),
);
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const error = v.object({ code: v.number(), message: text, data: v.optional(v.object({ reason: v.optional(word) })) });
const where = v.optional(v.object({ file: text, line: amount, column: v.optional(amount) }));

/** Happenings that no page may report: proxy, site and tools know them. */
const happening = v.variant('kind', [
  v.object({
    kind: v.literal('upstream'),
    operation: v.optional(word),
    method: word,
    target: text,
    status: amount,
    tookMs: amount,
    outcome: v.optional(v.picklist(['answered', 'unavailable', 'unreachable', 'late'])),
  }),
  v.object({
    kind: v.literal('cache'),
    outcome: v.picklist(['kept', 'confirmed', 'asked', 'joined']),
    operation: v.optional(word),
  }),
  v.object({ kind: v.literal('refusal'), error, operation: v.optional(word), path: v.optional(text) }),
  v.object({ kind: v.literal('limit'), limit: v.picklist(['rate', 'concurrency']) }),
  v.object({
    kind: v.literal('build'),
    problem: v.optional(v.object({ message: text, where, frame: v.optional(text) })),
  }),
  v.object({
    kind: v.literal('manifest'),
    problem: v.optional(text),
    where,
    asks: v.optional(v.pipe(v.array(word), v.maxLength(100))),
  }),
  v.object({
    kind: v.literal('clock'),
    jumpMs: v.pipe(v.number(), v.finite()),
    isStopped: v.optional(v.boolean()),
  }),
  v.object({ kind: v.literal('fault'), fault: word, operation: v.optional(word), viewer: v.optional(word) }),
]);

const longestOffsetMs = 100 * 365 * 24 * 3_600_000;
const position = v.object({
  number: v.pipe(v.number(), v.integer(), v.minValue(0)),
  offsetMs: v.pipe(v.number(), v.minValue(0), v.maxValue(longestOffsetMs)),
});

/** Rebuilds an entry of a tape. @returns Nothing for what is no such entry. */
export function readTapeEntry(input: unknown): TapeEntry | undefined {
  const at = v.safeParse(position, input);
  if (!at.success) return undefined;
  const own = v.safeParse(happening, input);
  const report = readPageHappening({
    ...(input as object),
    ...(own.success && { kind: 'left-out', count: 0 }),
    lab: 'tape',
  });
  if (!report) return undefined;
  const { lab: _, kind: __, ...rest } = report;
  const { app, place } = report;
  const found: Happening = own.success ? (own.output as Happening) : ({ ...rest, kind: report.kind } as Happening);
  const spot = { ...(app !== undefined && { app }), ...(place !== undefined && { place }) };
  return { ...found, ...spot, ...at.output } as TapeEntry;
}

const setting = v.union([v.pipe(v.string(), v.maxLength(500)), v.number(), v.boolean()]);
const scenario = v.fallback(
  v.record(word, v.union([setting, v.record(word, v.pipe(v.string(), v.maxLength(2_000)))])),
  {},
);
const latestMs = 8.64e15 - longestOffsetMs; // of a Date
const head = v.object({
  tape: v.pipe(v.number(), v.integer()),
  release: v.fallback(word, 'unknown'),
  host: v.fallback(v.picklist(['lab', 'mock', 'site']), 'site'),
  app: v.fallback(word, 'unknown'),
  scenario,
  startMs: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(latestMs)), 0),
  isRedacted: v.fallback(v.boolean(), false),
  test: v.fallback(v.optional(v.object({ title: text, file: v.optional(text), error: v.optional(text) })), undefined),
});

/** Rebuilds the first line of a tape; its version may be a newer one. @returns Nothing for what is no such line. */
export function readTapeHead(input: unknown): TapeHead | undefined {
  const read = v.safeParse(head, input);
  return read.success ? (read.output as TapeHead) : undefined;
}
