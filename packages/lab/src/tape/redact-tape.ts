import type { Topic } from '@gantry/wire';
import { mapValue, topicOf } from './positions.ts';
import { createRedaction } from './redact-value.ts';
import type { Tape, TapeEntry } from './tape.ts';

/** Time of the first entry of a redacted tape: 1 January 2026, 12:00 UTC. */
const redactedStartMs = Date.UTC(2026, 0, 1, 12);
/** The path of a test, as `gantry tape test` names it. */
const isCode = /^[\w@.\\/ -]+\.[cm]?[jt]sx?$/;

/**
 * Replaces names, texts, ids, addresses and times of a tape by stand-ins of the same shape: it
 * still replays, and identifies no person. Structure, counts, app id, words of the API and the path
 * of a test stay.
 */
export function redactTape({ head, entries }: Tape): Tape {
  const { app, startMs } = head;
  const redaction = createRedaction({ app, shiftMs: redactedStartMs - startMs });
  const topics = new Map<string, Topic | undefined>();
  const redacted = <Line extends object>(line: Line, topic?: Topic): Line =>
    mapValue(line, { source: 'line', name: '', topic }, redaction) as Line;

  const { file = '' } = head.test ?? {};
  const { test, ...others } = redacted(head);
  const named = test && { test: isCode.test(file) ? { ...test, file } : test };
  return {
    head: { ...others, ...named, startMs: redactedStartMs, isRedacted: true },
    entries: entries.map((entry) => {
      const key = `${entry.place} ${'call' in entry ? entry.call : ''}`;
      if (entry.kind === 'call') topics.set(key, topicOf(entry.operation));
      return redacted<TapeEntry>(entry, topics.get(key));
    }),
  };
}
