import { createAddress } from './address.ts';
import { openDevEvents } from './dev-events.ts';
import { GantryDevHost } from './dev-host.ts';
import { exposeMount } from './stories/mount.ts';
import { StoryGrid } from './stories/story-grid.ts';
import { GantryTapePage } from './tape/tape-page.ts';

exposeMount();
const root = document.getElementById('root');
if (location.pathname === '/stories') {
  root?.append(new StoryGrid());
} else if (location.pathname === '/tape') {
  root?.append(new GantryTapePage());
} else if (!new URLSearchParams(location.search).has('mount')) {
  // `/?mount` is for tests and pictures: it shows nothing before `window.mount` is called.
  const host = new GantryDevHost();
  host.address = createAddress(window);
  host.events = openDevEvents('/dev/events?since=0');
  root?.append(host);
}
