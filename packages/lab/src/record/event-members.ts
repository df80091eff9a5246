import { isRecord } from '@gantry/wire';
import * as v from 'valibot';

// Schemas of what pages report and tapes hold. Both rebuild untrusted lines member by member.

/** Schemas of texts and numbers in an event: bounded in a report, of any length on a tape. */
export interface ValueSchemas {
  /** A name from a known set. */
  readonly word: v.GenericSchema<string>;
  readonly words: v.GenericSchema<readonly string[]>;
  readonly text: v.GenericSchema<string>;
  /** A duration or a count of seconds. */
  readonly amount: v.GenericSchema<number>;
  /** Further members of a place in the source. */
  readonly moreOfPlace?: v.ObjectEntries;
  /** Further members of an error's data. */
  readonly moreOfError?: v.ObjectEntries;
}

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const finite = v.pipe(v.number(), v.finite());
const maybe = v.optional;

/** Roles of elements. Another one could be any text of the app. */
export const roles = [
  ...(['alert', 'article', 'button', 'cell', 'checkbox', 'combobox', 'dialog', 'form', 'grid', 'gridcell'] as const),
  ...(['group', 'heading', 'img', 'link', 'list', 'listbox', 'listitem', 'main', 'menu', 'menuitem'] as const),
  ...(['menuitemcheckbox', 'menuitemradio', 'navigation', 'option', 'paragraph', 'progressbar', 'radio'] as const),
  ...(['region', 'row', 'searchbox', 'slider', 'spinbutton', 'status', 'switch', 'tab', 'table', 'tablist'] as const),
  ...(['tabpanel', 'textbox', 'tree', 'treeitem'] as const),
] as const;

/** Returns the schemas that several kinds share. */
export function sharedSchemas({ word, words, text, amount, moreOfPlace, moreOfError }: ValueSchemas) {
  const data = v.object({ reason: maybe(word), retryAfter: maybe(amount), missing: maybe(words), ...moreOfError });
  return {
    where: maybe(v.object({ file: text, line: count, column: maybe(count), ...moreOfPlace })),
    error: v.object({ code: finite, message: text, data: maybe(data) }),
  };
}

/** Returns the members of events that a page, its gadgets and their agents observe, by kind. */
export function observedMembers(values: ValueSchemas) {
  const { word, words, text, amount } = values;
  const { where, error } = sharedSchemas(values);
  const result = { call: count, ok: maybe(v.unknown()), error: maybe(error), size: count };
  return {
    handshake: { sdk: maybe(word), capabilities: words },
    context: { context: v.unknown() },
    call: { call: count, operation: word, params: v.unknown() },
    decision: {
      call: count,
      decision: v.picklist(['fresh', 'stale', 'asked', 'joined', 'optimistic', 'queued']),
      ageMs: maybe(amount),
    },
    reply: { ...result, tookMs: amount },
    push: result,
    event: { name: word, data: v.unknown() },
    action: { name: word, params: v.unknown(), error: maybe(error) },
    load: {
      what: v.picklist(['start', 'ready', 'update', 'reload', 'end', 'failed']),
      why: maybe(word),
      error: maybe(error),
    },
    incident: { name: word, detail: v.unknown() },
    'script-error': { message: text, stack: maybe(text), where, rejection: maybe(v.boolean()) },
    policy: { directive: word, blocked: text, where },
    console: { level: v.picklist(['debug', 'log', 'info', 'warn', 'error']), text, where },
    'long-task': { ms: amount },
    'cut-off': {},
    file: { element: word, address: text },
    sandbox: { name: word, target: maybe(text), where },
    input: {
      what: v.picklist(['click', 'press', 'fill', 'select']),
      element: word,
      role: v.fallback(maybe(v.picklist(roles)), undefined),
      label: maybe(text),
      index: maybe(count),
      twin: maybe(count),
      key: maybe(word),
      text: maybe(text),
      option: maybe(count),
    },
    'left-out': { count },
    clock: { jumpMs: finite },
  } as const;
}

/** Makes a function that returns the schema of a value by its `kind`. */
export function schemasByKind(members: Readonly<Record<string, v.ObjectEntries>>, common: v.ObjectEntries) {
  const schemas = new Map<unknown, v.GenericSchema>(
    Object.entries(members).map(([kind, own]) => [kind, v.object({ kind: v.literal(kind), ...own, ...common })]),
  );
  return (input: unknown): v.GenericSchema | undefined => (isRecord(input) ? schemas.get(input.kind) : undefined);
}
