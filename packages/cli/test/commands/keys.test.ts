import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKeys, rotateTokenKeys } from '../../../server/src/data/keys.ts';
import { gantry } from '../running-site.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'gantry-keys-'));
});
afterEach(() => rm(data, { recursive: true }));

const minute = 60_000;
const ids = () => readKeys(data).tokenKeys.map(({ id }) => id);

test('a new key comes first, and those that were replaced within the hour stay', () => {
  const { secretKey } = readKeys(data);
  expect(rotateTokenKeys(data, 0)).toEqual(['2', '1']);
  expect(rotateTokenKeys(data, 30 * minute)).toEqual(['3', '2', '1']);
  expect(rotateTokenKeys(data, 61 * minute)).toEqual(['4', '3', '2']);
  expect(rotateTokenKeys(data, 500 * minute)).toEqual(['5', '4']);
  expect(ids()).toEqual(['5', '4']);
  expect(readKeys(data).secretKey).toEqual(secretKey);
});

test('gantry keys rotate says what holds, never a key, and the file is for its owner only (security rule 8)', async () => {
  const { code, out, err } = await gantry(data, 'keys', 'rotate');
  expect([code, out, err]).toEqual([
    0,
    'Key 2 signs gadget tokens from now on. Tokens of 1 are valid until they expire.',
    '',
  ]);
  const path = join(data, 'keys.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { tokenKeys } = JSON.parse(await readFile(path, 'utf8'));
  expect(tokenKeys.map(({ key }: { key: string }) => Buffer.from(key, 'base64url').length)).toEqual([32, 32]);
  expect(await gantry(data, 'keys', 'frobnicate')).toMatchObject({ code: 2 });
});
