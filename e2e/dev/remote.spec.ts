import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDevServer } from '@gantry/dev';
import { expect, test } from '@playwright/test';

test('an app of a plain server of its own runs with the copied SDK, as the guide says', async ({ page }) => {
  const osapi = await readFile(new URL('../../packages/osapi/dist/osapi.js', import.meta.url), 'utf8');
  const manifest = { name: 'Far', page: 'index.html', uses: ['people.get'] };
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/gadget.json': ['application/json', JSON.stringify(manifest)],
    '/osapi.js': ['text/javascript', osapi],
    '/index.html': [
      'text/html',
      `<!doctype html><script src="osapi.js"></script><script>
        osapi.people.getViewer().execute(({ displayName }) => document.body.append('Hello ' + displayName));
      </script>`,
    ],
  };
  const app = createServer(({ url = '/' }, outgoing) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    outgoing.writeHead(url in files ? 200 : 404, { 'Content-Type': type }).end(text);
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const dev = await startDevServer({ folders: [`http://127.0.0.1:${(app.address() as AddressInfo).port}`], port: 0 });

  await page.goto(dev.url);
  await expect(page.frameLocator('iframe').getByText(/^Hello \w/)).toBeVisible();
  await dev.close();
  app.close();
});
