import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RunningExample } from '../example.ts';
import { describeExample } from '../scenario.ts';
import { start } from './start.ts';

let site: RunningExample;

describeExample({
  name: 'proxy',
  async start(options) {
    site = await start(options);
    return site;
  },
  describeMore() {
    for (const [path, mostBytes] of [
      ['/sign-in', 10_000],
      ['/social/rest/appData/@me/@self', 2 ** 20],
    ] as const) {
      test(`a body of strangers in chunks is bounded at ${path}, whatever its length`, async () => {
        expect(await sendChunks(path, mostBytes / 2)).not.toBe(413); // positive control
        expect(await sendChunks(path, 8 * mostBytes)).toBe(413);
      });
    }
  },
});

/** Sends a body without a length and resolves with the status, which may come before its end. */
async function sendChunks(path: string, bytes: number, tries = 5): Promise<number | undefined> {
  const { hostname, port, host, origin } = new URL(site.url);
  const socket = connect(Number(port), hostname).on('error', () => {}); // of what was not read
  const closed = new Promise((resolve) => socket.on('close', resolve));
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  const type = 'application/x-www-form-urlencoded';
  const head = `Host: ${host}\r\nOrigin: ${origin}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked`;
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
  for (let sent = 0; sent < bytes && answer === '' && !socket.destroyed; sent += 4_096) {
    socket.write(`1000\r\n${'x'.repeat(4_096)}\r\n`);
    await turn();
  }
  if (answer === '' && !socket.destroyed) socket.write('0\r\n\r\n');
  await closed;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  if (status === undefined && tries > 1) return sendChunks(path, bytes, tries - 1); // a reset overtook the answer
  return status === undefined ? undefined : Number(status);
}
