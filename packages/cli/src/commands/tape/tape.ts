import { UsageError } from '@gantry/server';
import type { Output } from '../../output.ts';
import type { Command } from '../command.ts';
import { diff } from './diff.ts';
import { redact } from './redact.ts';
import { test } from './test.ts';

type Verb = (args: readonly string[], env: NodeJS.ProcessEnv, output: Output) => Promise<void>;

const verbs: ReadonlyMap<string, Verb> = new Map(Object.entries({ diff, test, redact } satisfies Record<string, Verb>));

/** `gantry tape diff|test|redact` */
export const tape: Command = {
  name: 'tape',
  summary: 'Compare tapes of conversations, write tests out of them, take out who is in them',
  help: `Usage: gantry tape diff A B [--holes] [--all] [--json]
       gantry tape test FILE [-o SPEC] [--force]
       gantry tape redact FILE [-o OUT] [--force]

A tape is the record of what an app and its page said to each other, as a file: a failed test leaves one.

diff compares two tapes in their canonical form: calls in the order sent, replies in the order delivered, events. Heights,
durations and requests behind the page are not compared. It shows the first difference with what is around it.
test writes a Playwright test with @gantry/testing: the scenario, the calls that the app made, faults and jumps of the clock. It
asserts the incident, the refusal or the error on the tape; where there is none, the test ends as test.fixme.
redact replaces names, texts, ids, addresses and times by stand-ins of the same shape. Tapes of failed tests are redacted
already.

  -o, --out FILE  Where to write (test: standard output; redact: NAME.redacted.tape beside it)
  --force         Overwrite the file of -o
  --holes         Compare tapes of a site whose clock and chance nobody set: generated ids and times may differ
  --all           Show every difference
  --json          diff: print one object: isEqual, differences, rows
  --help

Exit codes of diff:
  0  equal
  1  different
  2  not understood, or no tape

Examples:
  gantry tape diff before.tape after.tape
  gantry tape diff laptop.tape production.tape --holes
  gantry tape test failure.tape -o tests/posts-too-soon.spec.ts
  gantry tape redact whole.tape`,
  async run([name = '', ...args], env, output) {
    const verb = verbs.get(name);
    if (verb) return verb(args, env, output);
    throw new UsageError(`gantry tape takes ${[...verbs.keys()].join(', ')}. See gantry tape --help.`);
  },
};
