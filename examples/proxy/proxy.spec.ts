import { once } from 'node:events';
import { request } from 'node:http';
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
async function sendChunks(path: string, bytes: number): Promise<number | undefined> {
  const headers = { origin: site.url, 'content-type': 'application/x-www-form-urlencoded' };
  const outgoing = request(site.url + path, { method: 'POST', headers });
  outgoing.on('error', () => {}); // of what was not read
  const answered = once(outgoing, 'response');
  for (let sent = 0; sent < bytes && !outgoing.destroyed; sent += 4_096) {
    outgoing.write(Buffer.alloc(4_096, 'x'));
    await turn();
  }
  outgoing.end();
  const [answer] = await answered;
  answer.resume();
  return answer.statusCode;
}
