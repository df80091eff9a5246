import { chromium } from '@playwright/test';
import { expect, frameOf, inEachMode, test } from './hosted.ts';

// Storage belongs to an origin. An app gets it only on an origin of its own.

const page = (
  app: string,
) => `<!doctype html><html lang="en"><title>${app}</title><p id="out"></p><script src="/gantry/osapi.js"></script>
  <script>try { localStorage.setItem('${app}', 'mine'); out.textContent = Object.keys(localStorage).join(' '); }
    catch (error) { out.textContent = error.name; }</script>`;
const app = (name: string, more: object) => ({
  'gadget.json': JSON.stringify({ name, page: 'index.html', ...more }),
  'index.html': page(name),
});

test.use({
  apps: {
    diary: app('Diary', { storage: true }),
    drafts: app('Drafts', { storage: true }),
    modest: app('Modest', {}),
  },
});
const all = ['diary', 'drafts', 'modest'].map((id) => `<gantry-gadget app="${id}"></gantry-gadget>`).join('');

inEachMode((mode) => {
  test('an app keeps storage only on a host of its own, and only if it asked (security rule 4)', async ({
    hosted,
  }, testInfo) => {
    // Without Playwright's own flags, which disable storage partitioning.
    const folder = testInfo.outputPath('profile');
    const profile = await chromium.launchPersistentContext(folder, {
      executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
      ignoreDefaultArgs: true,
      args: ['--headless', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${folder}`, '--no-first-run'],
      viewport: { width: 1280, height: 2400 },
    });
    await profile.addCookies([{ name: 'viewer', value: '1', url: hosted.url }]);
    const page = await profile.newPage();
    await page.goto(`${hosted.url}/?${new URLSearchParams({ body: all })}`);
    await expect(frameOf(page, 'modest').locator('#out')).toHaveText('SecurityError');
    for (const [id, name] of [
      ['diary', 'Diary'],
      ['drafts', 'Drafts'],
    ] as const) {
      const gadget = page.locator(`gantry-gadget[app="${id}"]`);
      if (mode === 'origin per app') {
        await expect(frameOf(page, id).locator('#out')).toHaveText(name); // not the other app’s name
        const frame = await gadget.locator('iframe').elementHandle();
        expect(await frame?.getAttribute('sandbox')).toBe('allow-scripts allow-forms allow-same-origin');
      } else {
        await expect(gadget.locator('[part=card]')).toContainText('only to apps that have a host of their own');
        await expect(gadget.locator('iframe')).toHaveCount(0);
      }
    }
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /Diary|Drafts/.test(key)))).toEqual([]);
    await profile.close();
  });
});
