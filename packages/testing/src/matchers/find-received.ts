import type { Entry } from '@gantry/lab';

/** A field or value in something that the frame got. */
export interface Received {
  /** For example `reply of call #3`. */
  readonly from: string;
  /** For example `ok.list[0].birthday`. */
  readonly path: string;
  readonly value: unknown;
}

/** Search: a field with any value, or a value at any place. */
export interface LookedFor {
  readonly field: string;
  readonly value?: unknown;
}

/** Finds received data: results, errors, pushes, events and contexts. */
export function findReceived(entries: readonly Entry[], lookedFor: LookedFor): readonly Received[] {
  return entries.flatMap((entry) => {
    const received = receivedIn(entry);
    return received ? search(received.content, lookedFor).map((match) => ({ from: received.from, ...match })) : [];
  });
}

/** Returns the data that an entry brought into the frame. */
export function receivedIn(entry: Entry): { readonly from: string; readonly content: unknown } | undefined {
  if (entry.kind === 'reply' || entry.kind === 'push') {
    const { ok, error } = entry;
    return { from: `${entry.kind} of call #${entry.call}`, content: error ? { error } : { ok } };
  }
  if (entry.kind === 'event') return { from: `event ${entry.name}`, content: entry.data };
  if (entry.kind === 'context') return { from: 'context', content: entry.context };
  return undefined;
}

interface Step {
  readonly value: unknown;
  readonly key: string;
  readonly path: string;
}

const mostFound = 10;

/** Walks without recursion, since data may be deep; also into JSON in a text. */
function search(content: unknown, lookedFor: LookedFor): readonly Omit<Received, 'from'>[] {
  const matches: Omit<Received, 'from'>[] = [];
  const steps: Step[] = [{ value: content, key: '', path: '' }];
  for (let step = steps.pop(); step && matches.length < mostFound; step = steps.pop()) {
    const { value, path } = step;
    if (isIt(step, lookedFor)) matches.push({ path, value });
    const inner = typeof value === 'string' ? parsed(value) : value;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [key, member] of Object.entries(inner).reverse()) {
      steps.push({
        value: member,
        key,
        path: Array.isArray(inner) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
      });
    }
  }
  return matches;
}

function isIt({ key, value }: Step, { field, value: wanted }: LookedFor): boolean {
  if (wanted === undefined) return key === field && isValue(value);
  if (typeof wanted !== 'string') return key === field && Object.is(value, wanted);
  return key.includes(wanted) || (typeof value === 'string' && value.includes(wanted));
}

/** A field that is hidden or unset comes as an empty text or list (`docs/app-api.md`). */
function isValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
