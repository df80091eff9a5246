import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';
import { type BenchSite, friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;
const connections = 8;

/** CPU of the server process per request: a verified friends list against the same bytes given back without any work. */
export async function measureService(): Promise<void> {
  const server = fork(new URL('service-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [{ url, consumer }] = (await once(server, 'message')) as [Pick<BenchSite, 'url' | 'consumer'>];

    const cost = async (target: string, headers: () => Record<string, string>) => {
      const prepared = Array.from({ length: requests }, headers); // the client's own work stays outside
      const before = await cpuOf(server);
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (let next = prepared.pop(); next; next = prepared.pop()) await get(agent, target, next);
        }),
      );
      return ((await cpuOf(server)) - before) / requests;
    };
    const verified = () => cost(friendsUrl(url), () => signed(url, consumer));
    const fixed = () => cost(`${url}/static`, () => ({}));
    const [ours, against, again] = (await medians([verified, fixed, fixed], rounds)) as [number, number, number];
    printFigure({
      name: 'Verified friends list of 20 against a static answer of the same size, CPU per request',
      ours,
      against,
      again,
      unit: 'µs',
      goal: '≤ 7 × (the next milestone’s)',
    });
  } finally {
    agent.destroy();
    server.disconnect();
    await once(server, 'exit');
  }
}

async function cpuOf(server: ReturnType<typeof fork>): Promise<number> {
  server.send('cpu');
  const [micros] = (await once(server, 'message')) as [number];
  return micros;
}

function get(agent: Agent, url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}
