import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { app } from './page.ts';

test('the example of the README runs as it stands, and prints what its comments say', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const code = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
  const folder = mkdtempSync(join(import.meta.dirname, '../.readme-'));
  try {
    cpSync(app.folder, join(folder, 'notes'), { recursive: true });
    writeFileSync(join(folder, 'example.ts'), code);
    const ran = spawnSync(process.execPath, ['--conditions=@gantry/source', 'example.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    expect([ran.stdout.trim().split('\n'), ran.status]).toEqual([promised, 0]);
    expect(promised).toHaveLength(3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
