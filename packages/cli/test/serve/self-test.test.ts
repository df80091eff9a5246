import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { serve } from '../real-site.ts';
import { gantry } from '../running-site.ts';

test('gantry serve tries itself once it is ready, and warns of hosts that share cookies (security rule 4)', async () => {
  const data = folderForTest();
  const folder = join(data, 'probe');
  await mkdir(folder);
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'Probe', page: 'index.html' }));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Probe</title>');
  await gantry(data, 'app', 'add', folder, '--id', 'probe');
  const env = { GANTRY_DATA: data, GANTRY_LOG: 'info' };
  const apart = await serve(['--url', 'https://social.example'], env);
  await expect.poll(apart.errors).toContain('self-test of isolation: passed with probe.');
  expect(await apart.stop()).toBe(0);
  const below = await serve(['--url', 'https://social.example', '--apps-host', 'apps.social.example'], env);
  await expect
    .poll(below.errors)
    .toContain('self-test of isolation: apps.social.example and social.example share social.example:');
  expect(await below.stop()).toBe(0);
});
