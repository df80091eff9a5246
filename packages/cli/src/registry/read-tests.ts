import { readFileSync } from 'node:fs';
import type { AuthorStatement } from '@gantry/proxy';
import { UsageError } from '@gantry/server';
import { isRecord } from '@gantry/wire';

/**
 * Reads the counts of a report of tests: the JSON of Playwright's or Vitest's reporter.
 *
 * @throws UsageError for another file.
 */
export function readTests(file: string): AuthorStatement['tests'] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`${file} cannot be read as JSON.`, { cause });
  }
  const { stats } = isRecord(json) ? json : {};
  const counts = isRecord(stats)
    ? [sum(stats.expected, stats.flaky), stats.unexpected, stats.skipped]
    : isRecord(json)
      ? [json.numPassedTests, json.numFailedTests, json.numPendingTests]
      : [];
  const [passed, failed, skipped] = counts;
  if (!isCount(passed) || !isCount(failed) || !isCount(skipped)) {
    throw new UsageError(`${file} is no report of tests: use the JSON reporter of Playwright or Vitest.`);
  }
  return { passed, failed, skipped };
}

function sum(a: unknown, b: unknown): unknown {
  return isCount(a) && isCount(b) ? a + b : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
