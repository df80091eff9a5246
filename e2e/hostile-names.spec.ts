import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { expect, inEachMode, test } from './hosted.ts';

// DNS lookups leak data to name servers. Listeners here cannot see them, so the browser's network
// log is read.

const ways = ['dns-prefetch', 'preconnect', 'image', 'fetch', 'socket', 'stun', 'navigation'];
const nameOf = (way: string) => `${way}.secret.invalid`; // .invalid resolves nowhere
const talker = `<!doctype html><html lang="en"><title>Talker</title>
  <link rel="dns-prefetch" href="//${nameOf('dns-prefetch')}"><link rel="preconnect" href="https://${nameOf('preconnect')}">
  <img alt="" src="https://${nameOf('image')}/"><script src="/gantry/osapi.js"></script><script>
    const attempt = async (work) => { try { await work(); } catch {} };
    const connected = new Promise((resolve) => attempt(async () => {
      const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${nameOf('stun')}:3478' }] });
      connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
      connection.createDataChannel('x');
      await connection.setLocalDescription();
    }).then(() => setTimeout(resolve, 1500)));
    attempt(() => fetch('https://${nameOf('fetch')}/'))
      .then(() => new Promise((resolve) => attempt(() => { new WebSocket('wss://${nameOf('socket')}/').onclose = resolve; }).then(() => setTimeout(resolve, 1500))))
      .then(() => connected)
      .then(() => { location.href = 'https://${nameOf('navigation')}/'; });
  </script>`;

test.use({ apps: { talker: { 'index.html': talker } } });

/**
 * Shows a page until its frame has gone to an error page. Returns the names that the browser tried
 * to resolve.
 */
async function namesLookedUp(address: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-net-log-'));
  const log = join(folder, 'net.json');
  // A profile of its own: in the private windows of other scenarios browsers do not preconnect.
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', `--log-net-log=${log}`],
    ignoreDefaultArgs: ['--disable-background-networking'], // which would switch preconnect off
  });
  try {
    const page = await browser.newPage();
    const gone = page.waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:'));
    await page.goto(address);
    await gone;
  } finally {
    await browser.close(); // completes the log
  }
  const { constants, events } = JSON.parse(await readFile(log, 'utf8')) as NetLog;
  await rm(folder, { recursive: true });
  const kinds = new Set(
    Object.entries(constants.logEventTypes).flatMap(([name, type]) =>
      /^(HOST_RESOLVER|DNS)_/.test(name) ? [type] : [],
    ),
  );
  const lookups = JSON.stringify(events.filter(({ type }) => kinds.has(type)));
  expect(lookups).toContain('localhost'); // the page's own lookup: the log works
  return ways.filter((way) => lookups.includes(nameOf(way)));
}

interface NetLog {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly { readonly type: number }[];
}

inEachMode(() => {
  test('no name that an app uses is resolved (security rule 5)', async ({ hosted }) => {
    const body = '<gantry-gadget app="talker"></gantry-gadget>';
    expect(await namesLookedUp(`${hosted.url}/?${new URLSearchParams({ body })}`)).toEqual([]);
  });
});

test('positive control: in a plain frame every name of the same document is resolved', async () => {
  const server = createServer((request, response) => {
    const page = request.url === '/' ? '<iframe src="/talker"></iframe>' : talker;
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  }).listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    expect(await namesLookedUp(`http://localhost:${(server.address() as AddressInfo).port}/`)).toEqual(ways);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
