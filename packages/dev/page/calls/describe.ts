import type { Entry } from '@gantry/lab';
import type { WireError } from '@gantry/wire';
import { countText } from '@gantry/wire/runtime';

/** Kinds of rows for filter chips. Refusals of each kind are chosen by their outcome. */
export type Category = 'calls' | 'events' | 'console' | 'builds' | 'upstream';

const categories: Readonly<Record<string, Category>> = {
  call: 'calls',
  decision: 'calls',
  reply: 'calls',
  push: 'calls',
  refusal: 'calls',
  limit: 'calls',
  console: 'console',
  'script-error': 'console',
  'long-task': 'console',
  policy: 'console',
  sandbox: 'console',
  build: 'builds',
  manifest: 'builds',
  file: 'builds',
  upstream: 'upstream',
  cache: 'upstream',
};

/** Returns the category of an entry. A kind that is not known here counts as an event. */
export function categoryOf({ kind }: Entry): Category {
  return categories[kind] ?? 'events';
}

const most = 300;

/** Describes an entry in a few words. They may be the app's: render them as text. */
export function describe(entry: Entry): {
  readonly title: string;
  readonly result: string;
  readonly isRefused?: boolean;
  readonly error?: WireError;
} {
  switch (entry.kind) {
    case 'call':
      return { title: entry.operation, result: '' };
    case 'reply':
    case 'push':
      return entry.error
        ? { title: entry.kind, result: refusalText(entry.error), isRefused: true, error: entry.error }
        : { title: entry.kind, result: shapeOf(entry.ok) };
    case 'decision':
      return { title: 'decision', result: entry.decision };
    case 'console':
      return { title: `console.${entry.level}`, result: cut(entry.text), isRefused: entry.level === 'error' };
    case 'script-error':
      return { title: entry.rejection ? 'rejection' : 'error', result: cut(entry.message), isRefused: true };
    case 'policy':
      return { title: 'blocked', result: cut(`${entry.directive}: ${entry.blocked}`), isRefused: true };
    case 'long-task':
      return { title: 'long task', result: `${Math.round(entry.ms)} ms without a pause` };
    case 'build':
      return entry.problem
        ? { title: 'build', result: cut(entry.problem.message), isRefused: true }
        : { title: 'build', result: 'works again' };
    case 'manifest':
      return entry.problem
        ? { title: 'gadget.json', result: cut(entry.problem), isRefused: true }
        : { title: 'gadget.json', result: entry.asks?.length ? `asks for ${entry.asks.join(', ')}` : 'read' };
    case 'upstream':
      return { title: entry.operation ?? entry.method, result: cut(`${entry.status} ${entry.method} ${entry.target}`) };
    case 'cache':
      return { title: 'proxy cache', result: entry.outcome };
    case 'event':
      return { title: entry.name, result: cut(JSON.stringify(entry.data) ?? '') };
    case 'action':
      return entry.error
        ? { title: entry.name, result: refusalText(entry.error), isRefused: true, error: entry.error }
        : { title: entry.name, result: cut(JSON.stringify(entry.params) ?? '') };
    case 'load':
      return {
        title: 'document',
        result: [entry.what, entry.why].filter(Boolean).join(': '),
        isRefused: entry.what === 'failed',
      };
    case 'input':
      return {
        title: entry.what,
        result: cut([entry.role ?? entry.element, entry.label, entry.key].filter(Boolean).join(' ')),
      };
    case 'handshake':
      return { title: 'handshake', result: entry.sdk ? `SDK ${entry.sdk}` : '' };
    case 'context':
      return { title: 'context', result: '' };
    case 'clock':
      return { title: 'clock', result: `${entry.jumpMs / 1_000} s ahead` };
    case 'fault':
      return { title: 'fault', result: [entry.fault, entry.operation].filter(Boolean).join(': ') };
    default:
      return describeOther(entry);
  }
}

/** Describes an unknown kind, of a newer record. */
function describeOther(entry: object): ReturnType<typeof describe> {
  const { kind, number, atMs, lab, app, place, ...rest } = entry as Readonly<Record<string, unknown>>;
  const error = rest.error as WireError | undefined;
  if (error) return { title: String(rest.operation ?? kind), result: refusalText(error), isRefused: true, error };
  return { title: String(kind), result: cut(JSON.stringify(rest)) };
}

function refusalText({ code, message, data }: WireError): string {
  return cut(`${code} ${data?.reason ?? ''} ${message}`.replace('  ', ' '));
}

/** Summarizes JSON: "20 items", "4 members". */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return countText(value.length, 'item');
  if (value === null || typeof value !== 'object') return cut(JSON.stringify(value) ?? 'nothing');
  const { list } = value as { readonly list?: unknown };
  return Array.isArray(list) ? countText(list.length, 'item') : countText(Object.keys(value).length, 'member');
}

/** The source of a result, in words. */
export const decisions: Readonly<Record<string, string>> = {
  fresh: 'Taken from the page’s cache, which is fresh: nothing was asked.',
  stale: 'Taken from the page’s cache at once, and asked again: a newer result is pushed.',
  asked: 'Asked of the server: the page had no result.',
  joined: 'Joined the same request of another gadget, which was on its way.',
  optimistic: 'Shown at once, over a write that is on its way.',
  queued: 'Waits in the outbox until the server can be reached.',
};

function cut(text: string): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
