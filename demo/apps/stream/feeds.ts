import { type Activity, type Collection, type CollectionRequest, osapi } from '@gantry/osapi';

const pageSize = 10;

/** The fetched activities of one kind, newest first. */
export interface Feed {
  readonly groupId: '@friends' | '@self';
  readonly fetched: Map<string, Activity>;
  total: number;
}

export function createFeed(groupId: Feed['groupId']): Feed {
  return { groupId, fetched: new Map(), total: Number.POSITIVE_INFINITY };
}

/**
 * Fetches the next page of each feed that is needed to show older activities. Calls in one tick
 * leave in one message, so two feeds cost no more than one.
 */
export async function fetchMore(feeds: readonly Feed[]): Promise<void> {
  const horizon = horizonOf(feeds);
  const waiting = feeds.filter((feed) => !isComplete(feed) && oldest(feed) >= horizon);
  await Promise.all(waiting.map(fetchPage));
}

/** Merges all feeds, down to the first gap in one of them. */
export function merged(feeds: readonly Feed[]): Activity[] {
  const horizon = horizonOf(feeds);
  return feeds
    .flatMap((feed) => [...feed.fetched.values()])
    .filter((activity) => Date.parse(activity.postedTime) >= horizon)
    .sort((a, b) => Date.parse(b.postedTime) - Date.parse(a.postedTime));
}

export function isComplete({ fetched, total }: Feed): boolean {
  return fetched.size >= total;
}

/** Calls `onChange` when the newest page has new activities, for example another gadget's post. */
export function watch(feed: Feed, onChange: () => void): void {
  requestPage(feed, 0).subscribe((page) => {
    const overlap = page.list.filter(({ id }) => feed.fetched.has(id)).length;
    if (overlap === 0) feed.fetched.clear(); // a gap: the activities in between are unknown
    add(feed, page);
    if (overlap < page.list.length) onChange();
  });
}

async function fetchPage(feed: Feed): Promise<void> {
  add(feed, await requestPage(feed, feed.fetched.size));
}

function requestPage({ groupId }: Feed, startIndex: number): CollectionRequest<Activity> {
  return osapi.activities.get({ userId: '@owner', groupId, count: pageSize, startIndex });
}

/** Returns this page's new posts as the site stores them. */
export function addPosted(feed: Feed, activity: Activity): void {
  dropProvisional(feed);
  feed.fetched.set(activity.id, activity);
  feed.total++;
}

function add(feed: Feed, { list, totalResults }: Collection<Activity>): void {
  dropProvisional(feed);
  for (const activity of list) feed.fetched.set(activity.id, activity);
  feed.total = list.length === 0 ? feed.fetched.size : totalResults; // an empty page is the end, despite the count
}

// A post is shown optimistically, under an id that changes once the site has stored it.
function dropProvisional({ fetched }: Feed): void {
  for (const id of fetched.keys()) if (id.startsWith('pending:')) fetched.delete(id);
}

function horizonOf(feeds: readonly Feed[]): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...feeds.filter((feed) => !isComplete(feed)).map(oldest));
}

function oldest({ fetched }: Feed): number {
  const times = [...fetched.values()].map((activity) => Date.parse(activity.postedTime));
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...times);
}
