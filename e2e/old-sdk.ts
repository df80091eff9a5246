import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Gantry, Osapi } from '@gantry/osapi';
import { expect, type Frame, type Page } from '@playwright/test';
import type { AppFiles } from './write-app.ts';

const file = fileURLToPath(new URL('../fixtures/0.1.0/osapi.js', import.meta.url));
const sdk = await readFile(file, 'utf8');

/**
 * Builds an app with the SDK of 0.1.0 instead of the site's, for bounds and messages that it does
 * not know.
 *
 * @param options.script Runs after the SDK, while the document is parsed.
 *
 * @param options.manifest Members of `gadget.json`. Absent: the app may call everything.
 */
export function oldSdkApp(options: { readonly script?: string; readonly manifest?: object } = {}): AppFiles {
  const { script = '', manifest } = options;
  return {
    'index.html': `<!doctype html><html lang="en"><title>Old</title><p id="out"></p>
      <script src="osapi.js"></script><script>${script}</script>`,
    'osapi.js': sdk,
    ...(manifest && { 'gadget.json': JSON.stringify({ name: 'Old', page: 'index.html', ...manifest }) }),
  };
}

/** Globals of an app's document. */
export interface OldSdk {
  readonly osapi: Osapi;
  readonly gantry: Gantry;
}

/**
 * Resolves with the document of the page's first gadget, in which `evaluate` runs code beside the
 * SDK.
 */
export async function frameWithSdk(page: Page): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().includes('/gantry/apps/'));
  await expect.poll(async () => find()?.evaluate(() => 'osapi' in globalThis)).toBe(true);
  return find() as Frame;
}
