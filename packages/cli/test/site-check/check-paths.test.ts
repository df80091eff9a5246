import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../server/test/free-port.ts';
import { checkPaths } from '../../src/site-check/check-paths.ts';
import { type RunningSite, runSite } from '../running-site.ts';

let site: RunningSite;
let url: string;
let passed = (_path: string): boolean => true;
// A reverse proxy which passes some paths on and answers the others with a page of the site.
const front = createServer((incoming, outgoing) => {
  const { url: path = '/', headers } = incoming;
  if (!passed(path)) {
    outgoing.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
    return;
  }
  request({ host: '127.0.0.1', port: site.port, path, headers }, (answer) => {
    answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
  }).end();
});

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await runSite(['--url', url]);
  front.listen(port, 'localhost');
  await once(front, 'listening');
});
afterAll(async () => {
  front.close();
  await site.stop();
});

test('a reverse proxy that passes every path on has no problems (site owner’s guide)', async () => {
  passed = () => true;
  expect(await checkPaths({ site: url })).toEqual([]);
});

test('the paths that something else answers are named in one line', async () => {
  passed = (path) => path.startsWith('/gantry') || path.startsWith('/social') || path === '/rpc';
  expect(await checkPaths({ site: url })).toEqual([
    'Gantry does not answer at /account, /admin/oauth/access_token, /admin/oauth/authorize, /admin/oauth/request_token, /oauth/access_token, /oauth/authorize, /oauth/request_token, /openapi.json, /opensocial, /reference: pass them on, with all paths below.',
  ]);
});

test('a site that has the API is checked under /gantry only', async () => {
  passed = (path) => path.startsWith('/gantry');
  expect(await checkPaths({ site: url, only: ['/gantry'] })).toEqual([]);
  passed = () => false;
  expect(await checkPaths({ site: url, only: ['/gantry'] })).toEqual([
    'Gantry does not answer at /gantry: pass it on, with all paths below.',
  ]);
});
