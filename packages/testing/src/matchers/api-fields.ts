import type { StoredData } from '@gantry/lab';
import type { Activity, Address, Album, MediaItem, Person } from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';
import { brief } from './brief.ts';

type Field = keyof (Person & Address & Activity & Album & MediaItem);

/** Types of the fields that operations of the API return. */
const types = {
  id: 'string',
  isOwner: 'boolean',
  isViewer: 'boolean',
  hasApp: 'boolean',
  displayName: 'string',
  thumbnailUrl: 'string',
  profileUrl: 'string',
  aboutMe: 'string',
  addresses: 'object',
  age: 'number',
  birthday: 'string',
  languagesSpoken: 'string',
  gender: 'string',
  region: 'string',
  formatted: 'string',
  userId: 'string',
  title: 'string',
  postedTime: 'string',
  url: 'string',
  description: 'string',
  mediaItemCount: 'number',
  ownerId: 'string',
  mediaType: 'string',
  albumId: 'string',
  created: 'string',
  lastUpdated: 'string',
  fileSize: 'string',
  type: 'string',
} as const satisfies Record<Field, string>;

/** Returns why no app of a site can receive a field or value: such a test would always pass. */
export async function whyNeverReceived(
  stored: Pick<StoredData, 'appDataKeys' | 'profileValues'>,
  { field, value }: { readonly field: string; readonly value: unknown },
): Promise<string | undefined> {
  const names = [...Object.keys(types), ...(await stored.appDataKeys())];
  if (!names.includes(field)) {
    const near = closest(field, names);
    const question = near ? ` Did you mean ${near}?` : '';
    return `No operation has a field ${brief(field)}, and no AppData such a key.${question}`;
  }
  const type = Object.hasOwn(types, field) ? types[field as Field] : 'string';
  const isWithin = type === 'object' && typeof value === 'string'; // a text is searched at any depth
  if (value !== undefined && typeof value !== type && !isWithin)
    return `${field} is ${type === 'object' ? 'a list' : `a ${type}`}, never ${brief(value)}.`;
  if (value !== undefined && typeof value !== 'string') return undefined;
  const held = await stored.profileValues(field);
  if (held === undefined || held.some((one) => value === undefined || one.includes(value))) return undefined;
  const what = value === undefined ? 'a value' : brief(value);
  return `No member of this world has ${what} in ${field}.`;
}
