import { apps, appsOf } from './belongings.ts';
import { of } from './members.ts';
import { type Probe, probeHas, type Ring } from './probes.ts';
import { below, type Draw, use } from './random.ts';

const perMember = 10;

const endS = Date.UTC(2026, 4, 1) / 1000;
const spanS = 365 * 86_400;

/** Sentences that members post. */
export const titles = [
  'is painting the boat',
  'found a four-leaved clover',
  'is looking for a second-hand piano',
  'walked along the river',
  'has moved house',
  'is reading a very long novel',
  'finished the marathon',
  'made soup for twelve',
  'saw the first swallow of the year',
  'is learning to whistle',
  'lost an umbrella again',
  'won at chess, for once',
  'planted an apple tree',
  'is on the night train',
  'thanks everyone for the good wishes',
  'wonders where the summer went',
] as const;

const probeTitle = 'wrote a note';

/** Yields activities of the year before May 2026, oldest first; a few members post most. */
export function* activities(draw: Draw, { size, probes }: Ring): Generator<string> {
  const ofProbes = probes.length * probeHas.activities;
  const total = size * perMember + ofProbes;
  const every = ofProbes === 0 ? total + 1 : Math.floor(total / ofProbes);
  const timeText = ascendingTimes();
  let probesPosted = 0;
  let ofRing = 0;
  for (let number = 1; number <= total; number++) {
    const postedTime = timeText(endS - spanS + Math.floor((spanS * (number - 1)) / total));
    if (number % every === 0 && probesPosted < ofProbes) {
      const { id: userId } = probes[probesPosted % probes.length] as Probe;
      const throughApp = Math.floor(probesPosted / probes.length) % 2 === 0;
      const appId = throughApp ? apps[0].id : '';
      yield line({ id: number, userId, title: probeTitle, postedTime, url: '', appId });
      probesPosted++;
    } else {
      const turn = ofRing++;
      const url = draw(use.link, turn) % 5 === 0 ? `/posts/${number}` : '';
      yield line({ id: number, postedTime, url, ...ringPost(draw, turn, size) });
    }
  }
}

function ringPost(draw: Draw, turn: number, size: number): Pick<Line, 'userId' | 'title' | 'appId'> {
  const place = author(draw, turn, size);
  const installed = draw(use.activityApp, turn) % 3 === 0 ? appsOf(draw, place) : [];
  const appId = installed.length === 0 ? '' : (apps[of(installed, draw(use.activityApp, turn, 1))]?.id ?? '');
  return { userId: place + 1, title: of(titles, draw(use.title, turn)), appId };
}

/** Picks an author: of 100 posts 50 by any member, 35 by every tenth, 15 by every hundredth. */
function author(draw: Draw, turn: number, size: number): number {
  const kind = draw(use.authorKind, turn) % 100;
  const anyone = below(size, draw(use.author, turn));
  if (kind < 50) return anyone;
  const step = kind < 85 ? 10 : 100;
  return Math.min(size - 1, anyone - (anyone % step));
}

interface Line {
  readonly id: number;
  readonly userId: string | number;
  readonly title: string;
  readonly postedTime: string;
  readonly url: string;
  readonly appId: string;
}

// Not JSON.stringify: there are ten million lines, and no text needs escaping.
function line({ id, userId, title, postedTime, url, appId }: Line): string {
  const more = (url && `,"url":"${url}"`) + (appId && `,"appId":"${appId}"`);
  return `{"kind":"activity","id":"${id}","userId":"${userId}","title":"${title}","postedTime":"${postedTime}"${more}}\n`;
}

const twos = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/** Writes times as `YYYY-MM-DDThh:mm:ssZ`. They ascend, so the day rarely changes. */
function ascendingTimes(): (atS: number) => string {
  let day = -1;
  let text = '';
  return (atS) => {
    const today = Math.floor(atS / 86_400);
    if (day !== today) text = new Date(today * 86_400_000).toISOString().slice(0, 10);
    day = today;
    const inDay = atS - today * 86_400;
    const minutes = Math.floor(inDay / 60);
    return `${text}T${twos[Math.floor(minutes / 60)]}:${twos[minutes % 60]}:${twos[inDay % 60]}Z`;
  };
}
