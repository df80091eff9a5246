import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Link, openSlowLink } from '../slow-link.ts';

/** Sends bytes through a link to a server that returns them; resolves with what came, and when. */
async function echoed(link: Link, sent: Buffer) {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { url, close } = await openSlowLink(link, (server.address() as AddressInfo).port);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    close();
    server.close();
  });
  const startMs = performance.now();
  socket.write(sent);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= sent.length) break;
  }
  return { bytes: Buffer.concat(chunks), ms: performance.now() - startMs };
}

test('a slow link passes the same bytes on, after a handshake and a round trip', async () => {
  const sent = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  const { bytes, ms } = await echoed({ delayMs: 30 }, sent);
  expect(bytes.equals(sent)).toBe(true);
  expect(ms).toBeGreaterThanOrEqual(115); // four times 30, less what timers are early
});

test('its bytes take the time of its width in each direction', async () => {
  const { ms } = await echoed({ delayMs: 0, bytesPerSecond: 500_000 }, Buffer.alloc(100_000));
  expect(ms).toBeGreaterThanOrEqual(195); // the last ones leave after 200 ms
});
