import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../src/index.ts';
import { checkSecrets } from '../../src/site-check/check-secrets.ts';
import { sites, stranger } from '../init/stranger.ts';
import { serveFiles } from './serve-files.ts';

/** A site that has its keys where an earlier version put them. */
async function siteWithKeys() {
  const site = stranger({ 'app.py': sites.flask });
  await site.init('--yes');
  writeFileSync(join(site.folder, '.gantry/sample-members.json'), '{ "members": [{ "password": "x" }] }');
  return { folder: site.folder, data: join(site.folder, '.gantry') };
}

test('keys in a web root are found at each address, with the remedy (security rule 31)', async () => {
  const { folder, data } = await siteWithKeys();
  const site = await serveFiles(folder);
  const [line = '', ...more] = await checkSecrets({ site, data, folder });
  expect(more).toEqual([]);
  expect(line).toMatch(/^SECRETS ARE PUBLIC: anyone can read /);
  for (const path of ['/.gantry/keys.json', '/.gantry/gantry.db', '/.gantry/sample-members.json', '/gantry.env']) {
    expect(line).toContain(`${site}${path}`);
  }
  expect(line).toContain(`${data} too, and name the new place with GANTRY_DATA`);
  expect(line).toContain('docs/guides/operations.md, "Keys that were public"');
});

test('keys below a folder that is served are found, whatever their own is called (security rule 31)', async () => {
  const { folder, data } = await siteWithKeys();
  const moved = join(dirname(folder), 'site gantry');
  renameSync(data, moved);
  const site = await serveFiles(dirname(folder));
  const [line] = await checkSecrets({ site, data: moved, folder });
  expect(line).toContain(`${site}/site%20gantry/keys.json`);
  expect(line).toContain(`${site}/${basename(folder)}/gantry.env`);
  const [ofData] = await checkSecrets({ site: await serveFiles(moved), data: moved, folder });
  expect(ofData).toContain('/keys.json');
});

test('a site that answers every address with its page gives nothing away', async () => {
  const { folder, data } = await siteWithKeys();
  const pages = join(folder, 'public');
  mkdirSync(pages);
  const page = '<!doctype html><p>GANTRY_URL="password"';
  expect(await checkSecrets({ site: await serveFiles(pages, page), data, folder })).toEqual([]);
  expect(await checkSecrets({ site: await serveFiles(pages), data, folder })).toEqual([]);
});

test('a site that does not run is left to other checks', async () => {
  expect(await checkSecrets({ site: 'http://localhost:1', data: '/a/.gantry', folder: '/a' })).toEqual([]);
});

test('gantry check fails with them before anything else, also for a site without apps (security rule 31)', async () => {
  const { folder, data } = await siteWithKeys();
  const empty = join(dirname(folder), 'no site yet');
  const run = async (site: string, of: string) => {
    const err: string[] = [];
    const code = await main(
      ['check', '--url', site, '--data', of],
      {},
      { out: () => {}, err: (line) => err.push(line) },
    );
    return { code, err };
  };
  const result = await run(await serveFiles(folder), data);
  expect([result.code, result.err[0]]).toEqual([
    1,
    expect.stringMatching(/^SECRETS ARE PUBLIC: .*\/\.gantry\/keys\.json/),
  ]);
  mkdirSync(empty);
  const without = await run(await serveFiles(folder), empty);
  expect(without.code).toBe(2);
  expect(readdirSync(empty)).toEqual([]); // a check writes nothing
  expect(without.err[0]).toMatch(/^SECRETS ARE PUBLIC: /);
  const hidden = await run(await serveFiles(empty), data); // control
  expect(hidden.err.join()).not.toContain('SECRETS');
});
