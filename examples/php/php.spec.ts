import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '../../packages/server/test/free-port.ts';
import { describeBesideGantry } from '../beside-gantry-scenario.ts';
import { startProcess } from '../processes.ts';
import { nginxMistakes } from '../proxy-mistakes.ts';
import { optionsOf } from '../scenario.ts';
import { site, start } from './start.ts';

const reload = `nginx -p . -c nginx.conf -g "$([ "$(id -u)" -ne 0 ] || echo 'user root;')" -s reload`;

describeBesideGantry({ ...site, name: 'php', start, mistakes: nginxMistakes, reload });

test.describe('gantry init in a folder that PHP serves (security rule 31)', () => {
  const secrets = ['.gantry/keys.json', 'gantry.env', '.gantry/gantry.db', '.gantry/gantry.env'];

  /** Runs `gantry init` beside one file, and resolves with the secrets that PHP then sends. */
  async function publicSecrets(
    file: string,
    choice: (folder: string) => readonly string[],
  ): Promise<readonly string[]> {
    const { folder: example, env } = optionsOf('php');
    const folder = join(mkdtempSync(join(tmpdir(), 'gantry-php-')), 'site');
    mkdirSync(folder);
    writeFileSync(join(folder, file), '<?php echo "home";');
    const gantry = join(example, 'node_modules/@gantry/cli/bin/gantry.js');
    const args = [gantry, 'init', folder, '--framework', 'php', '--yes', ...choice(folder)];
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...env, XDG_DATA_HOME: `${folder}-home` },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const port = await freePort();
    const ready = /Development Server/;
    const php = await startProcess({
      command: 'php',
      args: ['-S', `127.0.0.1:${port}`, '-t', folder],
      folder,
      env,
      ready,
    });
    try {
      const answers = await Promise.all(
        secrets.map(async (path) => [path, await (await fetch(`http://127.0.0.1:${port}/${path}`)).text()] as const),
      );
      return answers.filter(([, text]) => /secretKey|GANTRY_|SQLite format/.test(text)).map(([path]) => path);
    } finally {
      await php.stop();
      rmSync(join(folder, '..'), { recursive: true });
    }
  }

  for (const file of ['index.php', 'shop.php']) {
    test(`with ${file} nothing secret is sent`, async () => {
      const outside = (folder: string) => (file === 'index.php' ? [] : ['--data', `${folder}-keys`]);
      expect(await publicSecrets(file, outside)).toEqual([]);
    });
  }

  test('the folder itself would send all of it (positive control)', async () => {
    expect(await publicSecrets('shop.php', (folder) => ['--data', join(folder, '.gantry')])).toEqual([
      '.gantry/keys.json',
      'gantry.env',
      '.gantry/gantry.db',
    ]);
  });
});
