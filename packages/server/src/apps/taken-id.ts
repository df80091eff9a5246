import { type AppPlace, type KnownApp, noFolder } from '@gantry/proxy';
import { countText } from '@gantry/wire/runtime';
import type { Stores } from '../data/stores.ts';
import { countMembers } from './app-facts.ts';

/** Describes the app that has an id, or had it last: name, location, date, number of members. */
export async function describeKnown(stores: Stores, app: KnownApp): Promise<string> {
  const { id, name, source, registeredAtMs, removedAtMs } = app;
  const place = placeText(source);
  const since = registeredAtMs === undefined ? '' : `, registered on ${dayOf(registeredAtMs)}`;
  const concerned = countText(await countMembers(stores, id), 'member');
  return removedAtMs === undefined
    ? `${id} is ${name}, from ${place}${since}; ${concerned} allowed it, have it, or have data saved by it.`
    : `${id} was ${name}, from ${place}${since}, and was removed on ${dayOf(removedAtMs)}; data of ${concerned} is left.`;
}

/** Names the place that an app's files came from, for people. */
export function placeText(source: AppPlace): string {
  if (source.kind === 'remote') return source.url;
  const { folder = noFolder } = source;
  return folder === noFolder ? 'no folder' : folder;
}

/** Returns the error text for a taken id, with the flags that resolve it. */
export async function takenMessage(stores: Stores, app: KnownApp): Promise<string> {
  return `${await describeKnown(stores, app)} Nothing was changed.
  --update   The same app: members keep their grants and its data, and are asked for new permissions.
  --replace  Another app instead: the old one's grants, its data and its keys are deleted.
  --id ID    Another app beside it, under another id.`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
