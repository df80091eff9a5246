import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTokenViewer } from '../../../server/src/members/viewer-token.ts';
import { initIn, sites, stranger } from './stranger.ts';

describe('the Python module that gantry init writes (site owner’s guide)', () => {
  const envOf = (text: string) =>
    Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

  async function tokenOf(
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ token: string; settings: Record<string, string> }> {
    const site = stranger({ 'shop/app.py': sites.flask });
    await site.init('--yes', '--url', 'https://social.example');
    const code =
      "import sys; sys.path.insert(0, 'shop'); import gantry_viewer; print(gantry_viewer.gantry_viewer('m-1001', 'Ada'))";
    const { stdout, stderr, error } = spawnSync('python3', ['-c', code], {
      cwd: site.folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    if (error || stderr !== '') throw new Error(`python3 is needed for this test: ${error?.message ?? stderr}`);
    return { token: stdout.trim(), settings: envOf(site.read('gantry.env')) };
  }

  const viewerOf = (key: string, token: string) =>
    createTokenViewer({ key: new TextEncoder().encode(key), site: 'https://social.example' })(
      new Request('https://social.example/', { headers: { cookie: `__Host-gantry_viewer=${token}` } }),
    );

  test('names the member by the key that gantry serve gets', async () => {
    const { token, settings } = await tokenOf();
    expect(await viewerOf(settings.GANTRY_VIEWER_KEY as string, token)).toMatchObject({ id: 'm-1001' });
    expect(await viewerOf('another key, as long as it has to be.', token)).toBeUndefined();
  });

  test('prefers the environment', async () => {
    const key = 'a key of the environment, 32 bytes or more';
    expect(await viewerOf(key, (await tokenOf({ GANTRY_VIEWER_KEY: key })).token)).toMatchObject({ id: 'm-1001' });
  });
});

test('the PHP functions that gantry init writes make the same token, step by step (site owner’s guide)', async () => {
  const site = stranger({ 'public/index.php': '<?php' });
  await site.init('--yes');
  const lines = site.read('gantry-viewer.php').split('\n');
  expect(
    lines.filter((line) => /^ {4}(\$(part|url|claims|text) =|return \$text)/.test(line)).map((line) => line.trim()),
  ).toEqual([
    "$part = fn (string $data): string => rtrim(strtr(base64_encode($data), '+/', '-_'), '=');",
    "$url = gantry_setting('GANTRY_URL');",
    "$claims = ['sub' => $member, 'name' => $name, 'aud' => $url, 'iat' => time(), 'exp' => time() + 300];",
    `$text = $part('{"alg":"HS256","typ":"JWT"}') . '.' . $part(json_encode($claims, JSON_THROW_ON_ERROR));`,
    "return $text . '.' . $part(hash_hmac('sha256', $text, gantry_setting('GANTRY_VIEWER_KEY'), true));",
  ]);
});

test('a script names a data folder with a space in it as it is (site owner’s guide)', async () => {
  const site = stranger({ 'my site/index.php': '<?php' });
  const data = join(site.folder, 'my keys');
  expect(await site.initBelow('my site', '--yes', '--data', data)).toMatchObject({ code: 0, err: '' });
  expect(site.read('my site/gantry-viewer.php')).toContain(`file_get_contents('${data}/gantry.env')`);
  const { scripts } = JSON.parse(site.read('my site/package.json'));
  writeFileSync(join(site.folder, 'my site/show.cjs'), 'console.log(process.env.GANTRY_DATA)');
  const script = scripts.gantry
    .replace(/ node_modules\/\S+$/, ' show.cjs')
    .replace(/^node/, JSON.stringify(process.execPath));
  const { stdout } = spawnSync(script, { cwd: join(site.folder, 'my site'), shell: true, encoding: 'utf8' });
  expect(stdout.trim()).toBe(data);
});

test.each(['a$(touch pwned)', 'a`b`', 'a"b', "it's"])(
  'a data folder named %s is refused, since a script would name it (security rule 25)',
  async (name) => {
    const site = stranger({ 'shop/index.php': '<?php' });
    const refused = { code: 2, err: expect.stringContaining('Name another data folder with --data.') };
    expect(await site.initBelow('shop', '--yes', '--data', join(site.folder, name))).toMatchObject(refused);
    expect(readdirSync(site.folder)).toEqual(['shop']);
    expect(readdirSync(join(site.folder, 'shop'))).toEqual(['index.php']);
  },
);

test('a site in a folder with such a name gets a data folder without (security rule 25)', async () => {
  const site = stranger({ 'a$(touch pwned)/index.php': '<?php' });
  const env = { XDG_DATA_HOME: join(site.folder, 'home') };
  expect(await initIn(join(site.folder, 'a$(touch pwned)'), ['--yes'], env)).toMatchObject({ code: 0, err: '' });
  const { scripts } = JSON.parse(site.read('a$(touch pwned)/package.json'));
  expect(scripts.gantry).toMatch(/\/gantry\/a-touch-pwned--[0-9a-f]{8}\/gantry\.env /);
});

test.each(["it's", "a'`b"])('a data folder named %s is a plain text in the module (security rule 25)', async (name) => {
  const site = stranger({ 'server.mjs': sites.http });
  const data = join(site.folder, name);
  expect(await site.init('--yes', '--data', data)).toMatchObject({ code: 0, err: '' });
  const [, text = ''] = /GANTRY_DATA \?\? (.*);/.exec(site.read('gantry.mjs')) ?? [];
  const { stdout } = spawnSync(process.execPath, ['-p', text], { encoding: 'utf8' });
  expect(stdout.trim()).toBe(name);
});
