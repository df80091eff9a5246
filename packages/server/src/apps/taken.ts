import type { KnownApp } from '@gantry/proxy';
import type { Stores } from '../gantry.ts';
import { countMembers } from './app-members.ts';

/** Says which app has an id, or had it last: name, place, since when, and how many members it concerns. */
export async function describeKnown(stores: Stores, known: KnownApp): Promise<string> {
  const { id, name, source, registeredAtMs, removedAtMs } = known;
  const place = source.kind === 'served' ? source.folder : source.url;
  const since = registeredAtMs === undefined ? '' : `, registered on ${dayOf(registeredAtMs)}`;
  const members = await countMembers(stores, id);
  const concerned = `${members} ${members === 1 ? 'member' : 'members'}`;
  return removedAtMs === undefined
    ? `${id} is ${name}, from ${place}${since}; ${concerned} allowed it, have it or saved something with it.`
    : `${id} was ${name}, from ${place}${since}, and was removed on ${dayOf(removedAtMs)}; something of it is there for ${concerned}.`;
}

/** The refusal of an id that is taken, with both ways on. */
export async function takenMessage(stores: Stores, known: KnownApp): Promise<string> {
  return `${await describeKnown(stores, known)} Nothing was changed.
  --update   It is the same app: members keep what they allowed and what it saved, and are asked for what is new.
  --replace  It is another app: what members allowed the old one, what that saved for them, and its keys end.
  --id ID    It is another app beside it.`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
