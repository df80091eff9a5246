import type { Report } from './figures/report.ts';
import { takeTurns } from './figures/rounds.ts';
import { startMeasuredSite } from './measured-site.ts';
import { friendsUrl, signed } from './site.ts';

const rounds = 15;
const requests = 1_000;

/** Cost of a verified list to the server process in XML and in Atom, against JSON. */
export async function measureFormats(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  const { url, consumer } = site;
  const lists = {
    'Verified friends list of 20': friendsUrl(url),
    'Verified stream of 20 posts of friends': `${url}/social/rest/activities/@me/@friends?xoauth_requestor_id=1`,
  };
  try {
    for (const [name, list] of Object.entries(lists)) {
      const read = (format: string) => () => {
        const target = `${list}&format=${format}`;
        // The client's own work stays outside.
        const one = () => ({ url: target, method: 'GET', headers: signed(url, consumer, target) }) as const;
        return site.cost(Array.from({ length: requests }, one));
      };
      const contestants = { json: read('json'), xml: read('xml'), atom: read('atom'), again: read('json') };
      const { json, again, ...others } = await takeTurns(contestants, report.rounds(rounds));
      for (const [format, ours] of Object.entries(others)) {
        report.compare({
          name: `${name} as ${format}, against JSON, per request`,
          ours,
          against: json,
          again,
          unit: 'µs',
          goals: { cpu: { most: 1.5 } },
        });
      }
    }
  } finally {
    await site.close();
  }
}
