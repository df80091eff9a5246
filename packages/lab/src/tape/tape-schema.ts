import * as v from 'valibot';
import type { LabEvent } from '../record/entry.ts';
import { count, finite, observedMembers, schemasByKind, sharedSchemas } from '../record/event-members.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Expectation, LocatorStep } from './expectation.ts';
import type { TapeEntry, TapeHead } from './tape.ts';

// Members of each line of a tape, as docs/tape.md lists them.

const text = v.string();
const maybe = v.optional;
const values = {
  word: text,
  words: v.array(text),
  text,
  amount: finite,
  moreOfPlace: { text: maybe(text) },
  moreOfError: { versions: maybe(v.any()) },
};
const { where, error } = sharedSchemas(values);

type Own = 'kind' | 'number' | 'offsetMs' | 'app' | 'place';
type Members = {
  readonly [Kind in LabEvent['kind']]: {
    readonly [Name in Exclude<keyof Extract<TapeEntry, { kind: Kind }>, Own>]-?: v.GenericSchema;
  };
};

/** Members of an entry by kind, besides common ones. The compiler checks them. */
export const entryMembers = {
  ...observedMembers(values),
  upstream: {
    operation: maybe(text),
    method: text,
    target: text,
    status: count,
    tookMs: finite,
    outcome: maybe(v.picklist(['answered', 'unavailable', 'unreachable', 'late'])),
  },
  cache: { outcome: v.picklist(['kept', 'confirmed', 'asked', 'joined']), operation: maybe(text) },
  refusal: { error, operation: maybe(text), path: maybe(text), viewer: maybe(text) },
  limit: { limit: v.picklist(['rate', 'concurrency']), viewer: maybe(text) },
  build: { problem: maybe(v.object({ message: text, where, frame: maybe(text) })) },
  manifest: { problem: maybe(text), asks: maybe(v.array(text)) },
  clock: { jumpMs: finite, isStopped: maybe(v.boolean()) },
  fault: { fault: text, operation: maybe(text), viewer: maybe(text) },
} as const satisfies Members;

export const commonMembers = { number: count, offsetMs: finite, app: maybe(text), place: maybe(text) };

const scenario = v.object({
  world: maybe(text),
  persona: maybe(text),
  owner: maybe(text),
  view: maybe(text),
  params: maybe(v.record(text, text)),
  width: maybe(count),
  theme: maybe(v.picklist(['light', 'dark'])),
  contrast: maybe(v.picklist(['normal', 'more'])),
  motion: maybe(v.picklist(['full', 'reduce'])),
  direction: maybe(v.picklist(['ltr', 'rtl'])),
  locale: maybe(text),
  timeZone: maybe(text),
  clock: maybe(finite),
  albums: maybe(v.boolean()),
  network: maybe(v.picklist(['fast', 'slow', 'offline', 'fail-once'])),
  permissions: maybe(v.union([v.picklist(['all', 'none']), v.pipe(v.string(), v.startsWith('without:'))])),
  api: maybe(v.picklist(['1.2', '0.9.3'])),
  interval: maybe(count),
} satisfies { readonly [Name in keyof Scenario]-?: v.GenericSchema });

const flag = maybe(v.boolean());
const step = v.object({
  method: text,
  role: maybe(text),
  text: maybe(text),
  label: maybe(text),
  isExact: flag,
  index: maybe(count),
} satisfies { readonly [Name in keyof LocatorStep]-?: v.GenericSchema });
const expectation = v.object({
  matcher: text,
  isNot: flag,
  inside: v.picklist(['frame', 'element']),
  steps: v.array(step),
  text: maybe(text),
  count: maybe(count),
} satisfies { readonly [Name in keyof Expectation]-?: v.GenericSchema });

/** Members of the first line. */
export const headMembers = {
  tape: v.literal(1),
  release: text,
  host: v.picklist(['lab', 'mock', 'site']),
  app: text,
  scenario,
  startMs: finite,
  isRedacted: v.boolean(),
  test: maybe(
    v.object({
      title: text,
      file: maybe(text),
      line: maybe(count),
      error: maybe(text),
      expectation: maybe(expectation),
    }),
  ),
} as const satisfies { readonly [Name in keyof TapeHead]-?: v.GenericSchema };

const headSchema = v.object(headMembers);
const entrySchemaOf = schemasByKind(entryMembers, commonMembers);

/** The problem of a malformed line, as the end of a sentence: `has a wrong release`. */
export interface LineProblem {
  readonly problem: string;
}

/** Rebuilds the first line of a tape from the members that it may have. */
export function readHead(input: unknown): TapeHead | LineProblem {
  const read = v.safeParse(headSchema, input);
  return read.success ? (read.output as TapeHead) : problemOf(read.issues[0]);
}

/** Rebuilds a further line of a tape from the members that an entry of its kind may have. */
export function readEntry(input: unknown): TapeEntry | LineProblem {
  const schema = entrySchemaOf(input);
  if (!schema) return { problem: 'is no entry of a kind that this version of Gantry knows' };
  const read = v.safeParse(schema, input);
  return read.success ? (read.output as TapeEntry) : problemOf(read.issues[0]);
}

/** Names the wrong member, never its content. */
function problemOf(issue: v.BaseIssue<unknown>): LineProblem {
  const path = v.getDotPath(issue);
  return { problem: path === null ? 'is no entry' : `has a wrong ${path.slice(0, 100)}` };
}
