import { terminalText } from '@gantry/wire/runtime';
import type { ComparedCall } from './match-call.ts';
import type { CallStep } from './tape-steps.ts';

/** A difference between a tape and the app that runs against it. */
export interface Mismatch {
  /** `other`: another call; `extra`: one too many; `missing`: one too few; `load`: a load more. */
  readonly kind: 'other' | 'extra' | 'missing' | 'load';
  readonly message: string;
  /** Calls around it: `-` of the tape, `+` of the app. */
  readonly diff: string;
}

type CallMismatch = Exclude<Mismatch['kind'], 'load'>;

const before = 3;
const longest = 400;

/**
 * Describes a difference at a call.
 *
 * @param options.calls All calls of the tape.
 * @param options.at Index of the call that the tape has there.
 * @param options.made The app's own call there, if it made one.
 */
export function mismatchOf(options: {
  readonly kind: CallMismatch;
  readonly calls: readonly CallStep[];
  readonly at: number;
  readonly made?: ComparedCall;
}): Mismatch {
  const { kind, calls, at, made } = options;
  const expected = calls[at];
  const same = calls.slice(Math.max(0, at - before), at).map((call) => `  ${call.number} ${textOf(call)}`);
  const rest = kind === 'missing' ? calls.slice(at, at + before) : expected ? [expected] : [];
  const lines = [
    ...same,
    ...rest.map((call) => `- ${call.number} ${textOf(call)}`),
    ...(made ? [`+ ${at + 1} ${textOf(made)}`] : []),
  ];
  return { kind, message: sentences[kind](at + 1, calls.length), diff: lines.join('\n') };
}

/** Describes a load that is not on the tape. */
export function loadTooMany(loads: number): Mismatch {
  const count = loads === 1 ? 'once' : `${loads} times`;
  return { kind: 'load', message: `The app loaded again: the tape has it load ${count}.`, diff: '' };
}

const sentences: { readonly [Kind in CallMismatch]: (at: number, of: number) => string } = {
  other: (at) => `Call ${at} is another one than the tape has.`,
  extra: (_, of) => `The app made a call more than the ${of} that the tape has.`,
  missing: (at, of) => `The app did not make call ${at} of ${of} that the tape has.`,
};

/** Writes a call on one line, with control characters escaped: a tape may come from anywhere. */
function textOf({ operation, params }: ComparedCall): string {
  return terminalText(`${operation} ${JSON.stringify(params) ?? ''}`, longest);
}
