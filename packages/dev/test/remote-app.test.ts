import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openRemoteApp } from '../src/remote-app.ts';

const manifest = { name: 'Far Quiz', page: 'index.html' };
const page = '<script type="module" src="/main.js"></script>';

interface Served {
  readonly type?: string;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

/**
 * Serves files as a bundler's server does, with a page for whatever is missing, and shows what it
 * was asked.
 */
async function serving(files: Readonly<Record<string, Served>>) {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer(({ url = '/', headers }, outgoing) => {
    requests.push(headers);
    const { type = 'text/html', text, headers: own = {} } = files[url] ?? { text: '<p>fallback' };
    outgoing.writeHead(200, { 'Content-Type': type, ...own }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const json = { type: 'application/json', text: JSON.stringify(manifest) };
const readable = { 'Access-Control-Allow-Origin': '*' };
const script = { type: 'text/javascript', text: 'run()' };

test('opens an app of another server, after asking as a frame without an origin does', async () => {
  const { url, requests, close } = await serving({
    '/gadget.json': json,
    '/index.html': { text: page },
    '/main.js': { ...script, headers: readable },
  });

  await expect(openRemoteApp(url)).resolves.toMatchObject({ id: 'Far-Quiz', url: `${url}/index.html`, manifest });
  expect(requests.map(({ origin }) => origin)).toEqual(['null', 'null', 'null']);
  await close();
});

test.each<[string, Readonly<Record<string, Served>>, RegExp]>([
  ['no gadget.json', {}, /gadget\.json is missing\. Put gadget\.json into the folder public/],
  ['a broken gadget.json', { '/gadget.json': { ...json, text: '{' } }, /is not JSON/],
  ['an unknown member', { '/gadget.json': { ...json, text: '{"name":"A","page":"a.html","usess":[]}' } }, /usess/],
  [
    'scripts that are not readable',
    { '/gadget.json': json, '/index.html': { text: page }, '/main.js': script },
    /server: \{ cors: \{ origin: '\*' \} \}/,
  ],
  [
    'scripts of a server that does not answer',
    { '/gadget.json': json, '/index.html': { text: '<script type="module" src="http://127.0.0.1:1/a.js"></script>' } },
    /where nothing answers\. With Vite write in vite\.config: server: \{ origin: 'http:\/\/127\.0\.0\.1:\d+' \}/,
  ],
  [
    'an SDK that only sites serve',
    { '/gadget.json': json, '/index.html': { text: '<script src="/gantry/osapi.js"></script>' } },
    /\/gantry\/osapi\.js is missing\. Copy node_modules\/@gantry\/osapi\/dist\/osapi\.js beside the page/,
  ],
  [
    'a policy against frames',
    {
      '/gadget.json': json,
      '/index.html': { text: page, headers: { 'Content-Security-Policy': "frame-ancestors 'self'" } },
    },
    /frame-ancestors 'self'/,
  ],
])('says what is in the way, with the line to write: %s', async (_what, files, expected) => {
  const { url, close } = await serving(files);
  await expect(openRemoteApp(url)).rejects.toThrow(expected);
  await close();
});

test('says that nothing answers', async () => {
  const { url, close } = await serving({});
  await close();
  await expect(openRemoteApp(url)).rejects.toThrow(
    /Nothing answers at http:\/\/127.0.0.1:\d+\. Start its server first/,
  );
});
