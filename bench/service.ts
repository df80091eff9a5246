import { send } from './http.ts';
import { startMeasuredSite } from './measured-site.ts';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';
import { friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;

/**
 * CPU of the server process per request: a verified friends list, with visibility and blocks, and a
 * cached one, against the same bytes served statically.
 */
export async function measureService(): Promise<void> {
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
    const oauth = () => site.ask({ oauth: requests });
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
    await site.close();
  }
}
