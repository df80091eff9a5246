import type { CallsRequest, Instance, InstanceAnswer } from '@gantry/wire';
import type { Report } from './figures/report.ts';
import { type Contestant, takeTurns } from './figures/rounds.ts';
import { type Prepared, send } from './http.ts';
import { openLookUp } from './look-up.ts';
import { startMeasuredSite } from './measured-site.ts';
import { friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;

/**
 * Cost of a request to the server process: reads of a gadget through the proxy, against the same
 * read sent to the service.
 */
export async function measureProxy(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  const { url, consumer, agent } = site;
  const lookUp = await openLookUp();
  try {
    const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1', Origin: url };
    const post = (path: string, body: unknown): Prepared => {
      return { url: `${url}${path}`, method: 'POST', headers, body: JSON.stringify(body) };
    };
    let owners = 1;
    // Another owner's page makes different calls; here they have the same result.
    const mount = async (count: number): Promise<Instance[]> => {
      const requests = Array.from({ length: count }, () => ({ app: 'bench', owner: String(owners++) }));
      const { text } = await send(agent, post('/gantry/instances', requests));
      const answers = JSON.parse(text) as InstanceAnswer[];
      const mounted = answers.flatMap((answer) => ('ok' in answer ? [answer.ok] : []));
      if (mounted.length < count) throw new Error('The bench app is not there.');
      // Warms up the tokens: a page sends each of them many times.
      await send(agent, post('/gantry/calls', callsOf(mounted, 'people.get', { userId: '1' })));
      return mounted;
    };
    const read = (gadget: Instance) => post('/gantry/calls', callsOf([gadget], 'people.get', { groupId: '@friends' }));
    const [only] = (await mount(1)) as [Instance];

    const cost = async (prepare: () => Prepared | Promise<Prepared[]>): ReturnType<Contestant> => {
      const prepared: Prepared[] = []; // the client's own work stays outside
      while (prepared.length < requests) prepared.push(...[await prepare()].flat());
      return site.cost(prepared);
    };
    const uncached = () => cost(async () => (await mount(100)).map(read));
    const cached = () => cost(() => read(only));
    const straight = () => cost(() => ({ url: friendsUrl(url), method: 'GET', headers: signed(url, consumer) }));
    const fixed = () => cost(() => ({ url: `${url}/static`, method: 'GET', headers: {} }));
    const contestants = { straight, uncached, fixed, cached, lookUp: lookUp.cost, again: straight, fixedAgain: fixed };
    const costs = await takeTurns(contestants, report.rounds(rounds));
    const unit = 'µs';
    report.compare({
      name: 'Friends list of 20 through the proxy, uncached, against the same read sent to the service, per request',
      ours: costs.uncached,
      against: costs.straight,
      again: costs.again,
      unit,
      goals: { cpu: { most: 1.5 } },
    });
    report.compare({
      name: 'The same that the proxy has, against a static answer of the same size, per request',
      ours: costs.cached,
      against: costs.fixed,
      again: costs.fixedAgain,
      unit,
      goals: { cpu: { most: 2.5 } },
    });
    report.compare({
      name: 'Look-up of the member whom the site names, against a request that the proxy has, per request',
      ours: costs.lookUp,
      against: costs.cached,
      unit,
      goals: { cpu: { most: 0.15 } },
    });
  } finally {
    await lookUp.close();
    await site.close();
  }
}

function callsOf(gadgets: readonly Instance[], operation: string, params: Record<string, unknown>): CallsRequest {
  return {
    tokens: Object.fromEntries(gadgets.map(({ instance, token }) => [instance, token])),
    calls: gadgets.map(({ instance }) => ({ id: instance, instance, operation, params })),
  };
}
