import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { CallsRequest, Instance, InstanceAnswer } from '@gantry/wire';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';
import { type BenchSite, friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;
const connections = 8;

interface Sent {
  readonly target: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** CPU of the server process per request: reads of a gadget through the proxy, against the same read sent to the service. */
export async function measureProxy(): Promise<void> {
  const server = fork(new URL('service-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [{ url, consumer }] = (await once(server, 'message')) as [Pick<BenchSite, 'url' | 'consumer'>];
    const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1', Origin: url };
    const post = (target: string, body: unknown): Sent => {
      return { target: `${url}${target}`, method: 'POST', headers, body: JSON.stringify(body) };
    };
    const [mounted] = JSON.parse(await send(agent, post('/gantry/instances', [{ app: 'bench' }]))) as InstanceAnswer[];
    if (!mounted || !('ok' in mounted)) throw new Error('The bench app is not there.');
    let page = 0;
    const read = (params: object) => post('/gantry/calls', callsOf(mounted.ok, { groupId: '@friends', ...params }));

    const cost = async (prepare: () => Sent) => {
      const prepared = Array.from({ length: requests }, prepare); // the client's own work stays outside
      const before = await cpuOf(server);
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (let next = prepared.pop(); next; next = prepared.pop()) await send(agent, next);
        }),
      );
      return ((await cpuOf(server)) - before) / requests;
    };
    const uncached = () => cost(() => read({ startIndex: --page })); // below 0 is 0: another question with the same answer
    const cached = () => cost(() => read({}));
    const straight = () => cost(() => ({ target: friendsUrl(url), method: 'GET', headers: signed(url, consumer) }));
    const fixed = () => cost(() => ({ target: `${url}/static`, method: 'GET', headers: {} }));
    const [missed = 0, hit = 0, direct = 0, again = 0, still = 0, stillAgain = 0] = await medians(
      [uncached, cached, straight, straight, fixed, fixed],
      rounds,
    );
    const unit = 'µs';
    printFigure({
      name: 'Friends list of 20 through the proxy, uncached, against the same read sent to the service, CPU per request',
      ours: missed,
      against: direct,
      again,
      unit,
      goal: '≤ 2 ×',
    });
    printFigure({
      name: 'The same that the proxy has, against a static answer of the same size, CPU per request',
      ours: hit,
      against: still,
      again: stillAgain,
      unit,
      goal: '≤ 2.5 ×',
    });
  } finally {
    agent.destroy();
    server.disconnect();
    await once(server, 'exit');
  }
}

function callsOf({ instance, token }: Instance, params: Record<string, unknown>): CallsRequest {
  return { tokens: { [instance]: token }, calls: [{ id: '1', instance, operation: 'people.get', params }] };
}

async function cpuOf(server: ReturnType<typeof fork>): Promise<number> {
  server.send('cpu');
  const [micros] = (await once(server, 'message')) as [number];
  return micros;
}

function send(agent: Agent, { target, method, headers, body }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    request(target, { agent, method, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      const isAnswer = response.statusCode === 200 && !text.includes('"error"');
      if (isAnswer) resolve(text);
      else reject(new Error(`${target} answered ${response.statusCode} ${text.slice(0, 200)}`));
    })
      .on('error', reject)
      .end(body);
  });
}
