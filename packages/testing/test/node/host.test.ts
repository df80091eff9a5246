import { osapi } from '@gantry/osapi';
import { openHost } from '@gantry/testing/node';
import { afterEach, expect, test } from 'vitest';
import { readScore, saveScore } from './score.ts';

const app = { uses: ['people.get', 'appdata.get', 'appdata.update'] };
let close = async (): Promise<void> => {};

async function open(options: Parameters<typeof openHost>[0] = {}) {
  const host = await openHost({ app, world: 'empty', ...options });
  close = host.close;
  return host;
}

afterEach(async () => {
  await close();
  close = async () => {};
});

test('a module that imports osapi speaks to the site of the test (ADR 57)', async () => {
  const host = await open();
  await saveScore(7);
  expect(await readScore()).toBe('7');
  expect((await osapi.people.getViewer()).id).toBe(host.viewer);
  expect(host.calls.map(({ operation, decision }) => [operation, decision])).toEqual([
    ['appdata.update', 'queued'],
    ['appdata.get', 'asked'],
    ['people.get', 'asked'],
  ]);
});

test('importing osapi without a host does not throw, and each call says what to do (ADR 57)', async () => {
  await expect(osapi.people.getViewer()).rejects.toMatchObject({
    code: 503,
    message: expect.stringContaining('await openHost({ app })'),
  });
});
