import { dropApp, setPaused } from '@gantry/server';
import { localActor } from './actor.ts';
import { noSuchApp, onApp } from './app-stores.ts';

export const pause = onApp('pause', async ({ stores, id, print }) => {
  if (!(await setPaused(stores, id, true, { by: localActor() }))) throw noSuchApp(id);
  print({ id, state: 'paused' }, `Paused ${id}. Gadgets show a card instead: gantry app resume ${id}`);
});

export const resume = onApp('resume', async ({ stores, id, print }) => {
  if (!(await setPaused(stores, id, false, { by: localActor() }))) throw noSuchApp(id);
  print({ id, state: 'active' }, `Resumed ${id}.`);
});

export const remove = onApp('remove', async ({ stores, id, print }) => {
  if (!(await dropApp(stores, id, { by: localActor() }))) throw noSuchApp(id);
  print({ removed: id }, `Removed ${id}.`);
});
