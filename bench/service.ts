import type { Report } from './figures/report.ts';
import { takeTurns } from './figures/rounds.ts';
import { send } from './http.ts';
import { startMeasuredSite } from './measured-site.ts';
import { friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;

/**
 * Cost of a request to the server process: a verified friends list, with visibility and blocks, and
 * a cached one, against the same bytes served statically.
 */
export async function measureService(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  const { url, consumer, agent } = site;
  try {
    const list = friendsUrl(url);
    const { headers } = await send(agent, { url: list, method: 'GET', headers: signed(url, consumer) });
    const condition = { 'If-None-Match': headers.etag ?? '' };

    const cost = (target: string, expected: number, headersOf: () => Record<string, string>) => {
      // The client's own work stays outside.
      const read = () => ({ url: target, method: 'GET', headers: headersOf() }) as const;
      return site.cost(Array.from({ length: requests }, read), expected);
    };
    const verified = () => cost(list, 200, () => signed(url, consumer));
    const unchanged = () => cost(list, 304, () => ({ ...signed(url, consumer), ...condition }));
    const oauth = () => site.oauthCost(requests);
    const fixed = () => cost(`${url}/static`, 200, () => ({}));
    const contestants = { fixed, verified, unchanged, oauth, again: fixed };
    const costs = await takeTurns(contestants, report.rounds(rounds));
    const than = 'against a static answer of the same size, per request';
    const figure = { against: costs.fixed, again: costs.again, unit: 'µs' };
    report.compare({
      ...figure,
      name: `Verified friends list of 20 ${than}`,
      ours: costs.verified,
      goals: { cpu: { most: 3 } },
    });
    report.compare({
      ...figure,
      name: `The same with If-None-Match of what the client has, ${than}`,
      ours: costs.unchanged,
      goals: { cpu: { most: 1.7 } },
    });
    report.compare({
      name: 'OAuth of the verified list (parsing, signature, consumer, nonce) against the whole, per request',
      ours: costs.oauth,
      against: costs.verified,
      unit: 'µs',
      goals: { cpu: { most: 0.3 } },
    });
  } finally {
    await site.close();
  }
}
