import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';
import { type BenchSite, friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;
const connections = 8;

/**
 * CPU of the server process per request: a verified friends list, with visibility and blocks, and a
 * cached one, against the same bytes served statically.
 */
export async function measureService(): Promise<void> {
  const server = fork(new URL('service-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [{ url, consumer }] = (await once(server, 'message')) as [Pick<BenchSite, 'url' | 'consumer'>];
    const list = friendsUrl(url);
    const { headers } = await get(agent, list, { headers: signed(url, consumer), expected: 200 });
    const known = { 'If-None-Match': headers.etag ?? '' };

    const cost = async (target: string, expected: number, requestHeaders: () => Record<string, string>) => {
      const prepared = Array.from({ length: requests }, requestHeaders); // the client's own work stays outside
      const before = await ask(server, 'cpu');
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (let next = prepared.pop(); next; next = prepared.pop()) {
            await get(agent, target, { headers: next, expected });
          }
        }),
      );
      return ((await ask(server, 'cpu')) - before) / requests;
    };
    const verified = () => cost(list, 200, () => signed(url, consumer));
    const unchanged = () => cost(list, 304, () => ({ ...signed(url, consumer), ...known }));
    const oauth = () => ask(server, { oauth: requests });
    const fixed = () => cost(`${url}/static`, 200, () => ({}));
    const costs = await medians([verified, unchanged, oauth, fixed, fixed], rounds);
    const [whole, hit, share, against, again] = costs as [number, number, number, number, number];
    const figure = { against, again, unit: 'µs' };
    const than = 'against a static answer of the same size, CPU per request';
    printFigure({ ...figure, name: `Verified friends list of 20 ${than}`, ours: whole, goal: '≤ 7 ×' });
    printFigure({
      ...figure,
      name: `The same with If-None-Match of what the client has, ${than}`,
      ours: hit,
      goal: '≤ 3 ×',
    });
    printFigure({
      name: 'OAuth of the verified list (parsing, signature, consumer, nonce) against the whole',
      ours: share,
      against: whole,
      unit: 'µs',
      goal: '≤ 0.30 ×',
    });
  } finally {
    agent.destroy();
    server.disconnect();
    await once(server, 'exit');
  }
}

async function ask(server: ReturnType<typeof fork>, question: 'cpu' | { readonly oauth: number }): Promise<number> {
  server.send(question);
  const [micros] = (await once(server, 'message')) as [number];
  return micros;
}

function get(
  agent: Agent,
  url: string,
  { headers, expected }: { readonly headers: Record<string, string>; readonly expected: number },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== expected) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', () => resolve(response));
    })
      .on('error', reject)
      .end();
  });
}
