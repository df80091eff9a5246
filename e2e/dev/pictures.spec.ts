import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@gantry/cli';
import { expect, test } from '@playwright/test';
import { writeGreeter } from './greeter.ts';

const env = { ...process.env, GANTRY_CHROMIUM: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium' };

async function gantry(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(args, env, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out, err: err.join('\n') };
}

/** Reads width and height of a PNG from its first chunk. */
async function sizeOf(file: string): Promise<readonly [width: number, height: number]> {
  const png = await readFile(file);
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('gantry pictures takes each story in eight looks, and names what failed', async ({ page }) => {
  const app = writeGreeter({
    'greeter.gadget.ts': `export const small = { width: 300 };
      export const odd = { them: 'dark' };`,
  });
  const folder = await mkdtemp(join(tmpdir(), 'gantry-pictures-'));
  const { code, out, err } = await gantry('pictures', app, '--out', folder, '--json');
  expect(code).toBe(1);
  const problem = 'There is no member "them" in a story. Did you mean "theme"?';
  expect(err).toBe(`Not everything could be shown:\ngreeter/greeter.gadget.ts: odd: ${problem}`);
  const events: { readonly type: string; readonly failed?: number }[] = out.map((line) => JSON.parse(line));
  expect(events).toHaveLength(9);
  expect(events.at(-1)).toMatchObject({ type: 'done', pictures: 8, failed: 0, problems: [{ name: 'odd' }] });
  const looks = ['dark', 'light'].flatMap((theme) =>
    ['narrow', 'wide'].flatMap((size) => ['ltr', 'rtl'].map((direction) => `small-${theme}-${size}-${direction}.png`)),
  );
  expect((await readdir(join(folder, 'greeter'))).sort()).toEqual(looks.sort());
  expect((await sizeOf(join(folder, 'greeter/small-dark-narrow-ltr.png')))[0]).toBe(360);
  expect((await sizeOf(join(folder, 'greeter/small-light-wide-rtl.png')))[0]).toBe(300);

  await page.goto(`file://${join(folder, 'index.html')}`);
  await expect(page.getByRole('img', { name: 'Small: dark, 300 px, left to right' })).toBeVisible();
  expect(
    await page.locator('img').evaluateAll((list) => list.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
  ).toBe(true);

  const wrong = await gantry('pictures', app, '--out', folder, '--only', 'smal/*');
  expect([wrong.code, wrong.err]).toEqual([2, 'No story matches "smal/*". Stories: greeter/small.']);
  await rm(folder, { recursive: true });
});
