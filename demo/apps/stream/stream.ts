// The posts of the owner's friends, newest first. The viewer's own page also shows their own posts
// and a composer; another member's page shows that member's posts only.
import { type Activity, gadgets, OsapiError, osapi } from '@gantry/osapi';
import { openComposer } from './composer.ts';
import { copy, element } from './element.ts';
import { addPosted, createFeed, type Feed, fetchMore, isComplete, merged, watch } from './feeds.ts';
import { fetchPosters, posterOf, remember } from './posters.ts';
import { keepTimesFresh, showTime } from './relative-time.ts';

// Replaces a picture that a member does not have, or that does not load.
const faceless =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path fill="gray" fill-opacity=".5" d="M48 20a17 20 0 0 1 0 40 17 20 0 0 1 0-40M14 100c0-20 14-30 34-30s34 10 34 30z"/></svg>';

const ownFeed = createFeed('@self');
let feeds: readonly Feed[] = [ownFeed];

const more = element<HTMLButtonElement>('more');
let started = false;

more.addEventListener('click', () => void (started ? show() : start()));
void start();

async function start(): Promise<void> {
  try {
    const [viewer, friends] = await Promise.all([
      osapi.people.getViewer(),
      osapi.people.get({ userId: '@owner', groupId: '@friends', count: 100 }),
    ]);
    remember([viewer, ...friends.list]);
    if (viewer.isOwner) {
      feeds = [ownFeed, createFeed('@friends')];
      openComposer({ onPosted: showPosted });
    }
  } catch (error) {
    if (error instanceof OsapiError && error.code === 401) say('Sign in to see what people are up to.');
    else offerRetry();
    return;
  }
  started = true;
  await show();
  for (const feed of feeds) watch(feed, () => void refresh());
  keepTimesFresh();
}

/** Shows one more page. */
async function show(): Promise<void> {
  if (more.ariaBusy === 'true') return;
  more.ariaBusy = 'true'; // not disabled: it would lose the focus
  try {
    await fetchMore(feeds);
    const activities = merged(feeds);
    await fetchPosters(activities);
    render(activities);
  } catch {
    offerRetry();
  }
  more.ariaBusy = 'false';
}

function offerRetry(): void {
  more.textContent = 'Try again';
  more.hidden = false;
  say('Activities could not be fetched just now.');
}

async function refresh(): Promise<void> {
  const activities = merged(feeds);
  await fetchPosters(activities).catch(() => {}); // names are fetched again next time
  render(activities);
}

function showPosted(activity: Activity): void {
  addPosted(ownFeed, activity);
  render(merged(feeds));
}

function render(activities: readonly Activity[]): void {
  element('activities').replaceChildren(...activities.map(renderActivity));
  more.textContent = 'Show more';
  more.hidden = feeds.every(isComplete);
  say(activities.length === 0 ? 'Quiet here so far. Be the first to say something.' : '');
}

function renderActivity(activity: Activity): HTMLElement {
  const item = copy('activity');
  const poster = posterOf(activity);
  const picture = item.querySelector('img') as HTMLImageElement;
  picture.onerror = () => {
    picture.onerror = null;
    picture.src = faceless;
  };
  picture.src = poster?.thumbnailUrl || faceless;
  (item.querySelector('strong') as HTMLElement).textContent = poster?.displayName ?? 'A member';
  (item.querySelector('.title') as HTMLElement).textContent = activity.title;
  showTime(item.querySelector('time') as HTMLTimeElement, activity.postedTime);
  return item;
}

function say(text: string): void {
  const message = element('message');
  message.textContent = text;
  message.hidden = text === '';
  gadgets.window.adjustHeight();
}
