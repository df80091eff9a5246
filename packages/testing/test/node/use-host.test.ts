import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useHost } from '@gantry/testing/node';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readScore, saveScore } from './score.ts';

describe('in Vitest', () => {
  const host = useHost({ beforeEach, afterEach, afterAll }, { app: { uses: ['appdata.get', 'appdata.update'] } });

  test.each(['one test', 'the next'])('%s begins with nothing (ADR 57)', async () => {
    expect(await readScore()).toBeUndefined();
    await saveScore(3);
    expect(host.calls.map(({ operation }) => operation)).toEqual(['appdata.get', 'appdata.update']);
  });
});

test('node:test runs with the same line, and ends by itself (ADR 57)', async () => {
  const file = join(import.meta.dirname, 'node-test.ts');
  const flags = ['--conditions=@gantry/source', '--test', '--test-reporter=tap', file];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { env: { ...process.env, NODE_OPTIONS: '' } });
  expect(stdout).toContain('# pass 2');
});
