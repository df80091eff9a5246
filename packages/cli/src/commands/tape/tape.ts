import { type Command, withVerbs } from '../../command.ts';
import { diff, redact, test } from './verbs.ts';

export const tape: Command = {
  name: 'tape',
  summary: 'Compare tapes, write tests from them, redact them',
  help: `Usage: gantry tape diff A B [--wildcards] [--all] [--json]
       gantry tape test FILE [-o SPEC] [--force]
       gantry tape redact FILE [-o OUT] [--force]

A tape is a file that records the messages between an app and its page. Failed tests write one.

diff compares two tapes in their canonical form: calls in the order sent, replies in the order delivered, events. Heights,
durations and requests behind the page are not compared. It shows the first difference in its context.
test writes a Playwright test with @gantry/testing: the scenario, clicks and keys, calls, faults and changes of the clock.
It asserts the incident, refusal, error and failed expectation on the tape; test.fixme stands where a part is missing.
redact replaces names, texts, ids, addresses and times by stand-ins of the same shape. Tapes of failed tests are redacted
already.

  -o, --out FILE  File to write (test: standard output; redact: NAME.redacted.tape beside it)
  --force         Overwrite the file of -o
  --wildcards     For tapes of a site with its own clock and random ids: generated ids and times may differ
  --all           Show every difference
  --json          diff: print one object: isEqual, differences, rows
  --help

Exit codes of diff:
  0  equal
  1  different
  2  usage error, or not a tape

Examples:
  gantry tape diff before.tape after.tape
  gantry tape diff laptop.tape production.tape --wildcards
  gantry tape test failure.tape -o tests/posts-too-soon.spec.ts
  gantry tape redact whole.tape`,
  run: withVerbs('tape', { diff, test, redact }),
};
