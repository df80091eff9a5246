import { dayMs, hourMs, plainTime } from './calendar.ts';
import type { Circle } from './circles.ts';
import { isRegular, type Neighbour } from './members.ts';
import type { Random } from './random.ts';
import type { Album, Level, MediaItem } from './records.ts';
import type { Scene } from './scenes/scene.ts';

interface Theme {
  readonly titles: readonly string[];
  readonly description: string;
  readonly scenes: readonly Scene[];
}

const themes: Readonly<Record<Circle, Theme>> = {
  gigs: {
    titles: ['Regatta weekend', 'Thursday crew', 'From seat three', 'Low tide training'],
    description: 'Oars, nerves and cake.',
    scenes: ['sails', 'moorings', 'quay', 'lighthouse'],
  },
  plots: {
    titles: ['The plot, month by month', 'What the wind left', 'Show bench', 'Dahlias and failures'],
    description: 'Mostly vegetables, some pride.',
    scenes: ['allotment', 'flowers', 'table', 'ridges'],
  },
  dinghies: {
    titles: ['Sunday points race', 'Juniors afloat', 'Round the island'],
    description: 'Taken with one hand on the tiller.',
    scenes: ['sails', 'sails', 'terns', 'lighthouse', 'moorings'],
  },
  swimmers: {
    titles: ['Seven in the morning', 'A year of water', 'Huts and towels'],
    description: 'All before breakfast.',
    scenes: ['huts', 'marsh', 'sails', 'terns', 'lighthouse'],
  },
  boatyard: {
    titles: ['One plank a winter', 'On the slip', 'Moored and mended'],
    description: 'Before, during, and a long after.',
    scenes: ['moorings', 'quay', 'moorings', 'sails'],
  },
  birds: {
    titles: ['From the hide', 'The spit in June', 'Wings'],
    description: 'Please zoom in, they are there.',
    scenes: ['terns', 'marsh', 'terns', 'ridges'],
  },
  kitchen: {
    titles: ['Friday soups', 'Kitchen table', 'Harvest supper'],
    description: 'Eaten minutes later.',
    scenes: ['table', 'table', 'allotment', 'quay'],
  },
  choir: {
    titles: ['On tour, ten miles away', 'Quayside summer', 'After the concert'],
    description: 'You cannot hear it, be glad.',
    scenes: ['quay', 'huts', 'ridges', 'table'],
  },
  cameras: {
    titles: ['Same bollard, other days', 'Breakwater light', 'Six miles inland', 'Found on the archive shelf'],
    description: 'Straight from the camera, nearly.',
    scenes: ['lighthouse', 'quay', 'marsh', 'ridges', 'huts', 'terns', 'flowers'],
  },
};

const captions: Readonly<Record<Scene, readonly string[]>> = {
  sails: [
    'Three tacks from home',
    'Rounding the outer mark',
    'Everyone on port',
    'Light airs, long lunch',
    'The fleet, loosely',
    'Chasing Harriet',
  ],
  lighthouse: [
    'Chapel Point, first lamp',
    'The light before dinner',
    'Keeper’s evening',
    'From below the rocks',
    'Weather coming in',
  ],
  quay: [
    'The fish quay from the ferry',
    'Windows and water',
    'Number 12 has painted again',
    'Slack water, whole town twice',
    'Market day, early',
  ],
  moorings: ['Trots from the crane', 'Gulls’ view', 'Parking, harbour style', 'Everyone home', 'Oars out to dry'],
  huts: [
    'Ours is the striped one',
    'Off season',
    'Towels by hut six',
    'The row, freshly painted',
    'Shingle and stripes',
  ],
  terns: ['Lift-off', 'Forty or so', 'Back from the bar', 'The noise was the thing', 'Airborne argument'],
  ridges: [
    'Up behind the reservoir',
    'Seven hills if you count twice',
    'The long way round',
    'Where the weather comes from',
  ],
  marsh: ['Saltmarsh path, ten to five', 'Reeds holding still', 'Ebb', 'Boots recommended', 'Quiet side of the spit'],
  allotment: ['Rows and the blue shed', 'Beans up, back out', 'Plot 22 behaving', 'After the rain', 'The gate end'],
  flowers: ['Gone to seed on purpose', 'Verge by the chapel', 'Cutting patch', 'Bees not pictured', 'Late, but here'],
  table: ['Before the pie', 'Windfalls', 'Bits from plot 9', 'Kitchen, north light', 'Still life with jug, again'],
};

const atFirst = [7, 8, 6, 8, 6, 10] as const;

/**
 * Generates albums of many members with their media items. The pictures are drawn elsewhere, by
 * file name.
 */
export function createAlbums(
  random: Random,
  {
    neighbours,
    hasPhotos,
    now,
  }: { neighbours: readonly Neighbour[]; hasPhotos: (memberId: string) => boolean; now: number },
): { albums: Album[]; mediaItems: MediaItem[] } {
  const albums: Album[] = [];
  const mediaItems: MediaItem[] = [];
  const fill = (neighbour: Neighbour, { circle, title, amount }: { circle: Circle; title: string; amount: number }) => {
    const album: Album = {
      id: String(albums.length + 1),
      ownerId: neighbour.member.id,
      title,
      description: themes[circle].description,
      mediaType: 'IMAGE',
      visibility: isRegular(neighbour) ? 'site' : pickLevel(random),
    };
    albums.push(album);
    const startedAt = now - random.int(2, 400) * dayMs;
    const unused = new Map<Scene, string[]>();
    for (let item = 0; item < amount; item++) {
      const scene = random.pick(themes[circle].scenes);
      if (!unused.get(scene)?.length) unused.set(scene, random.shuffled(captions[scene]));
      const created = plainTime(Math.min(startedAt + item * random.int(1, 9) * hourMs, now - hourMs));
      const id = String(mediaItems.length + 1);
      mediaItems.push({
        id,
        albumId: album.id,
        title: unused.get(scene)?.pop() ?? scene,
        description: '',
        type: 'IMAGE',
        created,
        lastUpdated: created,
        visibility: album.visibility,
        file: `images/${scene}-${id}.jpg`,
      });
    }
  };

  const [first, ...others] = neighbours;
  if (first) {
    const chosen = [
      { circle: 'gigs', title: 'Regatta weekend' },
      { circle: 'cameras', title: 'Breakwater light' },
      { circle: 'plots', title: 'Plot 22, month by month' },
      { circle: 'swimmers', title: 'Seven in the morning' },
      { circle: 'kitchen', title: 'Harvest supper' },
      { circle: 'birds', title: 'The spit in June' },
    ] as const;
    chosen.forEach((album, index) => {
      fill(first, { ...album, amount: atFirst[index] ?? 6 });
    });
  }
  const keen = [
    ...others.filter(isRegular),
    ...random.shuffled(others.filter((one) => hasPhotos(one.member.id) && !isRegular(one))),
  ];
  for (const neighbour of keen.slice(0, 46)) {
    for (const circle of neighbour.circles.slice(0, random.int(1, 2))) {
      fill(neighbour, { circle, title: random.pick(themes[circle].titles), amount: random.int(1, 4) });
    }
  }
  return { albums, mediaItems };
}

/** Parses subject and number of a picture from its file name. */
export function readFileName(file: string): { scene: Scene; number: number } {
  const [scene, number] = file.slice('images/'.length, -'.jpg'.length).split('-') as [Scene, string];
  return { scene, number: Number(number) };
}

function pickLevel(random: Random): Level {
  return random.weighted({ site: 7, friends: 2, private: 1 });
}
