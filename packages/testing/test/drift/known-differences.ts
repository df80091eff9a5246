import type { Tape, TapeEntry } from '@gantry/lab/tape';

/** A difference between a host in Node and a page that is right, and why. */
interface KnownDifference {
  readonly what: string;
  readonly because: string;
  /**
   * Returns the entry as both have it, by what stands before it; undefined where it is not
   * compared.
   */
  readonly even: (entry: TapeEntry, before: readonly TapeEntry[]) => TapeEntry | undefined;
}

/** Allowed differences between the tapes of the hosts. Any other difference fails the test. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    what: 'theme, shortcuts, time zone and language of the context',
    because: 'a page has styles, an element around the gadget and a browser; a host in Node has the scenario alone',
    even: (entry) =>
      entry.kind === 'context'
        ? { ...entry, context: without(entry.context, ['theme', 'shortcuts', 'timeZone', 'locale', 'params']) }
        : entry,
  },
  {
    what: 'the event visibility',
    because: 'only a page knows what is seen of it, and it says so whenever it was first painted',
    even: (entry) => (entry.kind === 'event' && entry.name === 'visibility' ? undefined : entry),
  },
  {
    what: 'context told again, but for the view in it',
    because: 'a page tells it anew whenever it has measured its look or a write moved on, which is a matter of moments',
    even: (entry, before) => {
      if (entry.kind === 'event' && entry.name === 'context') return undefined;
      const last = before.findLast(({ kind }) => kind === 'context');
      if (entry.kind !== 'context' || last?.kind !== 'context') return entry;
      const { view } = entry.context as { readonly view?: string };
      return (last.context as { readonly view?: string }).view === view ? undefined : { ...entry, context: { view } };
    },
  },
  {
    what: 'documents that load, end or fail',
    because: 'a host in Node loads no document',
    even: (entry) => (entry.kind === 'load' ? undefined : entry),
  },
];

/** Returns a tape without what may differ. */
export function evened(tape: Tape): Tape {
  const entries: TapeEntry[] = [];
  for (const entry of tape.entries) {
    const left = knownDifferences.reduce<TapeEntry | undefined>((one, { even }) => one && even(one, entries), entry);
    if (left) entries.push(left);
  }
  return { ...tape, entries };
}

function without(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
