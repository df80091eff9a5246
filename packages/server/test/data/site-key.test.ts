import { createPublicKey } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { readSitePublicKey } from '../../src/data/site-key.ts';

let data: string;
beforeEach(() => {
  data = folderForTest();
});

test('the site has one RSA key, made at its first start and kept (contract §1)', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => readSitePublicKey(data)));
  expect(others).toEqual([first, first, first]);
  expect(await readSitePublicKey(data)).toBe(first);
  expect(createPublicKey(first ?? '').asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
  expect(await readdir(data)).toEqual(['site-key.pem']);
});

test('the private half is readable by its owner only, and is not what is given away (security rule 8)', async () => {
  const publicKey = await readSitePublicKey(data);
  const path = join(data, 'site-key.pem');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toContain('PRIVATE KEY');
  expect(publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
});

test('a key file that is none stops the start with one clear line (security rule 24)', async () => {
  await writeFile(join(data, 'site-key.pem'), 'scrambled');
  await expect(readSitePublicKey(data)).rejects.toThrow(/site-key\.pem is not a private key in PEM\. Restore it/);
});
