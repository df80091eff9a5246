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

/**
 * CPU of the server process per request: reads of a gadget through the proxy, against the same read
 * sent to the service.
 */
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
    let owners = 1;
    // Another owner's page makes different calls; here they have the same result.
    const mount = async (count: number): Promise<Instance[]> => {
      const wanted = Array.from({ length: count }, () => ({ app: 'bench', owner: String(owners++) }));
      const answers = JSON.parse(await send(agent, post('/gantry/instances', wanted))) as InstanceAnswer[];
      const mounted = answers.flatMap((answer) => ('ok' in answer ? [answer.ok] : []));
      if (mounted.length < count) throw new Error('The bench app is not there.');
      // Warms up the tokens: a page sends each of them many times.
      await send(agent, post('/gantry/calls', callsOf(mounted, 'people.get', { userId: '1' })));
      return mounted;
    };
    const read = (gadget: Instance) => post('/gantry/calls', callsOf([gadget], 'people.get', { groupId: '@friends' }));
    const [only] = (await mount(1)) as [Instance];

    const cost = async (prepare: () => Sent | Promise<Sent[]>) => {
      const prepared: Sent[] = []; // the client's own work stays outside
      while (prepared.length < requests) prepared.push(...[await prepare()].flat());
      const before = await cpuOf(server);
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (let next = prepared.pop(); next; next = prepared.pop()) await send(agent, next);
        }),
      );
      return ((await cpuOf(server)) - before) / requests;
    };
    const uncached = () => cost(async () => (await mount(100)).map(read));
    const cached = () => cost(() => read(only));
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

function callsOf(gadgets: readonly Instance[], operation: string, params: Record<string, unknown>): CallsRequest {
  return {
    tokens: Object.fromEntries(gadgets.map(({ instance, token }) => [instance, token])),
    calls: gadgets.map(({ instance }) => ({ id: instance, instance, operation, params })),
  };
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
