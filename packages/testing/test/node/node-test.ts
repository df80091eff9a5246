import { strictEqual } from 'node:assert';
import { after, afterEach, beforeEach, test } from 'node:test';
import { useHost } from '@gantry/testing/node';
import { readScore, saveScore } from './score.ts';

// Run by `use-host.test.ts` with `node --test`.

const host = useHost({ beforeEach, afterEach, after }, { app: { uses: ['appdata.get', 'appdata.update'] } });

test('saves', async () => {
  await saveScore(3);
  strictEqual(await readScore(), '3');
  strictEqual(host.calls.length, 2);
});

test('begins with nothing', async () => {
  strictEqual(await readScore(), undefined);
});
