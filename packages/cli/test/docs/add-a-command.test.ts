import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '../../src/command.ts';
import { type RunningSite, runSite } from '../running-site.ts';

const root = join(import.meta.dirname, '../../../..');
const guide = readFileSync(join(root, 'docs/guides/contributor/add-a-command.md'), 'utf8');

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());

test('the command of the guide runs as it stands there (guide for contributors)', async () => {
  const [, code = ''] = /^```typescript\n(.*?)^```/ms.exec(guide) ?? [];
  const folder = mkdtempSync(join(root, 'packages/cli/.docs-'));
  try {
    const file = join(folder, 'members.ts');
    writeFileSync(file, code.replaceAll("from '../", "from '../src/").replaceAll("from './", "from '../src/commands/"));
    const { members }: { members: Command } = await import(file);
    const lines: string[] = [];
    const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
    await members.run(['--data', site.data], {}, output);
    expect(lines).toEqual(['id  name\n1   Ada\n2   Bo\n3   Cy']);
    expect(members.help).toContain(`Usage: gantry ${members.name}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the registry has the list that the guide adds to (guide for contributors)', () => {
  const registry = readFileSync(join(root, 'packages/cli/src/commands/commands.ts'), 'utf8');
  const start = 'export const commands: readonly Command[] = [';
  expect([registry.includes(start), guide.includes(start)]).toEqual([true, true]);
});
