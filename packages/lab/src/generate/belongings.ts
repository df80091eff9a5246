import { of } from './members.ts';
import { below, type Draw, use } from './random.ts';

/** The apps of a generated world, most used first. */
export const apps = [
  { id: 'notes', title: 'Notes', url: 'https://apps.example/notes/' },
  { id: 'quiz', title: 'Daily Quiz', url: 'https://apps.example/quiz/' },
  { id: 'recipes', title: 'Recipes', url: 'https://apps.example/recipes/' },
  { id: 'chess', title: 'Chess by Post', url: 'https://apps.example/chess/' },
] as const;

/** Percentage of members that have each app. */
const users = [25, 15, 8, 4] as const;

const levels = ['site', 'site', 'site', 'friends', 'friends', 'private'] as const;
const itemLevels = ['site', 'site', 'site', 'site', 'site', 'site', 'friends', 'private'] as const;
export const albumTitles = [
  'Summer',
  'The garden',
  'Home',
  'Old photographs',
  'On the road',
  'Family',
  'Work',
  'At sea',
] as const;
const dataTexts = [
  'Buy varnish',
  'Ask about the keys',
  'seven of ten',
  '{"level":3,"score":1250}',
  'e4 e5 Nf3 Nc6',
  '',
] as const;

/** Returns the indices of the apps that a member has. */
export function appsOf(draw: Draw, subject: number): readonly number[] {
  return users.flatMap((share, index) => (draw(use.install, subject, index) % 100 < share ? [index] : []));
}

/** Yields a member's installs, AppData and albums. */
export function* belongings(draw: Draw, id: string, subject: number): Generator<object> {
  for (const index of appsOf(draw, subject)) {
    const appId = (apps[index] as (typeof apps)[number]).id;
    const visibility = of(levels, draw(use.installLevel, subject, index));
    yield { kind: 'install', appId, memberId: id, ...(visibility !== 'site' && { visibility }) };
    const keys = below(4, draw(use.data, subject, index));
    if (keys > 0) yield { kind: 'appData', appId, memberId: id, data: data(draw, subject, keys) };
  }
  if (draw(use.album, subject) % 10 !== 0) return;
  const albums = 1 + below(3, draw(use.album, subject, 1));
  for (let album = 1; album <= albums; album++) yield* albumOf(draw, { ownerId: id, subject, album });
}

function data(draw: Draw, subject: number, keys: number): object {
  return Object.fromEntries(
    Array.from({ length: keys }, (_, key) => [`item.${key + 1}`, of(dataTexts, draw(use.data, subject, 10 + key))]),
  );
}

function* albumOf(
  draw: Draw,
  { ownerId, subject, album }: { readonly ownerId: string; readonly subject: number; readonly album: number },
): Generator<object> {
  const id = `${ownerId}-${album}`;
  const visibility = of(levels, draw(use.albumLevel, subject, album));
  const title = of(albumTitles, draw(use.albumTitle, subject, album));
  yield { kind: 'album', id, ownerId, title, ...(visibility !== 'site' && { visibility }) };
  const items = below(9, draw(use.items, subject, album));
  for (let item = 1; item <= items; item++) {
    yield mediaItem(id, item, of(itemLevels, draw(use.itemLevel, subject, 16 * album + item)));
  }
}

export function mediaItem(albumId: string, item: number, visibility = 'site'): object {
  const id = `${albumId}-${item}`;
  return {
    kind: 'mediaItem',
    id,
    albumId,
    title: `No. ${item}`,
    created: '2026-04-01 12:00:00',
    url: `https://photos.example/${id}.jpg`,
    thumbnailUrl: `https://photos.example/${id}-small.jpg`,
    fileSize: '204800',
    ...(visibility !== 'site' && { visibility }),
  };
}
