import * as v from 'valibot';
import type { Happening } from '../record/entry.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { TapeEntry, TapeHead } from './tape.ts';

// Members of each line of a tape, as docs/tape.md lists them. Lines are rebuilt from these.

const text = v.string();
const amount = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const maybe = v.optional;
const error = v.object({
  code: amount,
  message: text,
  data: maybe(
    v.object({
      ...{ reason: maybe(text), retryAfter: maybe(amount), missing: maybe(v.array(text)) },
      versions: maybe(v.any()),
    }),
  ),
});
const where = v.object({ file: text, line: count, column: maybe(count), text: maybe(text) });
const result = { call: count, ok: maybe(v.unknown()), error: maybe(error), size: count };

type Own = 'kind' | 'number' | 'offsetMs' | 'app' | 'place';
type Members = {
  readonly [Kind in Happening['kind']]: {
    readonly [Name in Exclude<keyof Extract<TapeEntry, { kind: Kind }>, Own>]-?: v.GenericSchema;
  };
};

/** Members of an entry by kind, besides common ones. The compiler checks them. */
export const entryMembers = {
  handshake: { sdk: maybe(text), capabilities: v.array(text) },
  context: { context: v.unknown() },
  call: { call: count, operation: text, params: v.unknown() },
  decision: {
    call: count,
    decision: v.picklist(['fresh', 'stale', 'asked', 'joined', 'optimistic', 'queued']),
    ageMs: maybe(amount),
  },
  reply: { ...result, tookMs: amount },
  push: result,
  event: { name: text, data: v.unknown() },
  action: { name: text, params: v.unknown(), error: maybe(error) },
  load: {
    what: v.picklist(['start', 'ready', 'update', 'reload', 'end', 'failed']),
    why: maybe(text),
    error: maybe(error),
  },
  incident: { name: text, detail: v.unknown() },
  upstream: {
    ...{ operation: maybe(text), method: text, target: text, status: count, tookMs: amount },
    outcome: maybe(v.picklist(['answered', 'unavailable', 'unreachable', 'late'])),
  },
  cache: { outcome: v.picklist(['kept', 'confirmed', 'asked', 'joined']), operation: maybe(text) },
  refusal: { error, operation: maybe(text), path: maybe(text), viewer: maybe(text) },
  limit: { limit: v.picklist(['rate', 'concurrency']), viewer: maybe(text) },
  'script-error': { message: text, stack: maybe(text), where: maybe(where), rejection: maybe(v.boolean()) },
  policy: { directive: text, blocked: text, where: maybe(where) },
  console: { level: v.picklist(['debug', 'log', 'info', 'warn', 'error']), text, where: maybe(where) },
  'long-task': { ms: amount },
  file: { element: text, address: text },
  sandbox: { name: text, target: maybe(text), where: maybe(where) },
  'left-out': { count },
  build: { problem: maybe(v.object({ message: text, where: maybe(where), frame: maybe(text) })) },
  manifest: { problem: maybe(text), where: maybe(where), asks: maybe(v.array(text)) },
  clock: { jumpMs: amount, isStopped: maybe(v.boolean()) },
  fault: { fault: text, operation: maybe(text), viewer: maybe(text) },
} as const satisfies Members;

/** Members of every entry. */
export const commonMembers = { number: count, offsetMs: amount, app: maybe(text), place: maybe(text) };

const scenario = v.object({
  ...{ world: maybe(text), persona: maybe(text), owner: maybe(text), view: maybe(text) },
  params: maybe(v.record(text, text)),
  width: maybe(count),
  theme: maybe(v.picklist(['light', 'dark'])),
  contrast: maybe(v.picklist(['normal', 'more'])),
  motion: maybe(v.picklist(['full', 'reduce'])),
  direction: maybe(v.picklist(['ltr', 'rtl'])),
  ...{ locale: maybe(text), timeZone: maybe(text), clock: maybe(amount), albums: maybe(v.boolean()) },
  network: maybe(v.picklist(['fast', 'slow', 'offline', 'fail-once'])),
  permissions: maybe(v.union([v.picklist(['all', 'none']), v.pipe(v.string(), v.startsWith('without:'))])),
  api: maybe(v.picklist(['1.2', '0.9.3'])),
  interval: maybe(count),
} satisfies { readonly [Name in keyof Scenario]-?: v.GenericSchema });

/** Members of the first line. */
export const headMembers = {
  ...{ tape: v.literal(1), release: text, host: v.picklist(['lab', 'mock', 'site']), app: text, scenario },
  ...{ startMs: amount, isRedacted: v.boolean() },
  test: maybe(v.object({ title: text, file: maybe(text), error: maybe(text) })),
} as const satisfies { readonly [Name in keyof TapeHead]-?: v.GenericSchema };

const headSchema = v.object(headMembers);
const schemas = new Map<string, v.GenericSchema>(
  Object.entries(entryMembers).map(([kind, members]) => [
    kind,
    v.object({ kind: v.literal(kind), ...commonMembers, ...members }),
  ]),
);

/** A malformed line, with the predicate of a sentence about it. */
export interface LineProblem {
  readonly problem: string;
}

/**
 * Rebuilds the first line of a tape from the members that it may have.
 *
 * @example
 * readHead({ tape: 1 }); // { problem: 'has a wrong release' }
 */
export function readHead(input: unknown): TapeHead | LineProblem {
  const read = v.safeParse(headSchema, input);
  return read.success ? (read.output as TapeHead) : problemOf(read.issues[0]);
}

/**
 * Rebuilds a further line of a tape from the members that an entry of its kind may have.
 *
 * @example
 * const entry = { kind: 'long-task', number: 1, offsetMs: 0, ms: 80 };
 * readEntry({ ...entry, more: 1 }); // { kind: 'long-task', number: 1, offsetMs: 0, ms: 80 }
 */
export function readEntry(input: unknown): TapeEntry | LineProblem {
  const kind = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
  const schema = typeof kind === 'string' ? schemas.get(kind) : undefined;
  if (!schema) return { problem: 'is no entry of a kind that this version of Gantry knows' };
  const read = v.safeParse(schema, input);
  return read.success ? (read.output as TapeEntry) : problemOf(read.issues[0]);
}

/** Names the wrong member, never its content. */
function problemOf(issue: v.BaseIssue<unknown>): LineProblem {
  const path = v.getDotPath(issue);
  return { problem: path === null ? 'is no entry' : `has a wrong ${path.slice(0, 100)}` };
}
