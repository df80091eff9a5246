import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { press } from './choose.ts';
import { expect, frameOf, inEachMode, test } from './hosted.ts';

// Headers of the page around the gadgets that could stop them.

const page = (script: string) => `<!doctype html><html lang="en"><title>App</title><p id="out"></p>
  <button id="go">Go</button><script src="/gantry/osapi.js"></script><script type="module">${script}</script>`;
const ask = `osapi.people.getViewer().execute((me) => { out.textContent = me.displayName; });
  go.onclick = async () => { out.textContent = await gantry.ui.confirm('Delete it?'); gantry.ui.toast('Done'); };`;

test.use({
  apps: {
    calm: { 'index.html': page(ask) },
    asks: {
      'gadget.json': JSON.stringify({ name: 'Asks', page: 'index.html', uses: ['people.get'] }),
      'index.html': page(ask),
    },
  },
  asking: ['asks'],
});

inEachMode(() => {
  for (const policy of ['require-corp', 'credentialless']) {
    test(`gadgets work in a page with Cross-Origin-Embedder-Policy: ${policy}`, async ({ show }) => {
      const headers = { 'Cross-Origin-Embedder-Policy': policy, 'Cross-Origin-Opener-Policy': 'same-origin' };
      const page = await show('<gantry-gadget app="calm"></gantry-gadget>', { headers });
      await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Ann Oyster');
      expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    });
  }
});

test('a frame without the header, as of an app on its own server, is explained by what the page sends', async ({
  show,
  page,
}) => {
  await page.route('**/gantry/apps/calm/**', async (route) => {
    const response = await route.fetch();
    const { 'cross-origin-embedder-policy': _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  const headers = { 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Opener-Policy': 'same-origin' };
  await show(`<gantry-gadget app="calm" budgets='{"startMs": 2000}'></gantry-gadget>`, { headers });
  await expect(page.locator('[part=card]')).toContainText('This page sends Cross-Origin-Embedder-Policy');
});

/** Reads the policy of the guide, for this site. */
function policyOfGuide(url: string): string {
  const guide = readFileSync('docs/guides/site-owner.md', 'utf8');
  const [, policy = ''] = /```csp\n([^`]+)```/.exec(guide) ?? [];
  return policy.replaceAll('https://social.example', url).replaceAll('\n', ' ').trim();
}

/** Collects what the page's policy refuses. */
async function violationsOf(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('noteViolation', (text: string) => violations.push(text));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      (globalThis as unknown as { noteViolation(text: string): void }).noteViolation(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
      ),
    );
  });
  return violations;
}

test('a page whose trusted-types do not name lit-html still has its gadgets', async ({ show }) => {
  const headers = { 'Content-Security-Policy': "require-trusted-types-for 'script'; trusted-types none-of-these" };
  const page = await show('<gantry-gadget app="calm" heading="Calm"></gantry-gadget>', { headers });
  await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Ann Oyster');
});

test('the guide’s strict policy, with trusted types, lets gadgets do all they do', async ({ show, hosted, page }) => {
  const violations = await violationsOf(page);
  const policy = policyOfGuide(hosted.url);
  expect(policy).toContain("require-trusted-types-for 'script'");
  await show('<gantry-gadget app="calm" heading="Calm"></gantry-gadget><gantry-gadget app="asks"></gantry-gadget>', {
    headers: { 'Content-Security-Policy': policy },
  });
  await expect(frameOf(page, 'calm').locator('#out')).toHaveText('Ann Oyster');
  await press(page.getByRole('button', { name: 'Allow' }));
  await expect(frameOf(page, 'asks').locator('#out')).toHaveText('Ann Oyster');
  await frameOf(page, 'calm').locator('#go').click();
  await press(page.getByRole('dialog').getByRole('button', { name: 'OK' }));
  await expect(page.getByText('Done')).toBeVisible();
  await page.locator('gantry-gadget[app=calm] [part=options]').click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('[part=card]')).toBeVisible();
  expect(violations).toEqual([]);
});
