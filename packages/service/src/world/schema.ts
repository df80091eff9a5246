import { signatureMethods } from '@gantry/oauth';
import { isId, isRecord, optionalPersonFields } from '@gantry/wire';
import * as v from 'valibot';
import { levels } from '../authorize.ts';
import { isWithin, mostBytes, mostUrlCharacters } from '../fields/text-bounds.ts';
import type { Json } from '../formats/read-json.ts';
import type { Pair } from '../store/remove-member.ts';

/** Schemas of world records (contract §9). Messages end a sentence that begins with the path. */

/** Accepts these members only: a misspelt `visibility` must not make anything public. */
function record<const E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, ({ expected, path }) => {
    if (path === undefined) return 'must be an object';
    return expected === 'never' ? `is not known: the members are ${Object.keys(entries).join(', ')}` : 'is missing';
  });
}

function textOf(most: number) {
  return v.pipe(
    v.string('must be text'),
    // Three bytes are the most of a code unit: nearly all texts are short and need not be counted.
    v.check(
      (value) => value.length * 3 <= most || Buffer.byteLength(value) <= most,
      `must have at most ${most.toLocaleString('en')} bytes`,
    ),
  );
}

const text = textOf(mostBytes.text);
const title = textOf(mostBytes.title);

function textThat(fits: (value: string) => boolean, message: string, base = text) {
  return v.pipe(base, v.check(fits, message));
}

const filled = textThat((value) => value.trim() !== '', 'must not be empty', title);
const id = textThat(isId, 'must be an id: 1 to 64 letters, digits, ".", "_", ":" and "-"');
const flag = v.boolean('must be true or false');
const level = v.picklist(levels, `must be one of ${levels.join(', ')}`);
const address = v.pipe(
  v.string('must be text'),
  v.check((value) => isWithin(value, mostUrlCharacters), 'must have at most 2,000 characters'),
  v.check(isWebAddress, 'must be an http or https address, or one relative to the site'),
);
const mediaTime = textThat(
  (value) => isPlainTime(value) || isInstant(value),
  'must be a time YYYY-MM-DD hh:mm:ss in the time zone of the site, or one with its offset',
);
const instant = textThat(isInstant, 'must be a time with its offset, for example 2026-05-01T09:30:00+02:00');
const date = textThat((value) => value === '' || isDate(value), 'must be a date YYYY/MM/DD');

// As long as a page can grant; stored with spaces between them.
const permissions = v.pipe(
  v.array(v.pipe(text, v.regex(/^[\x21-\x7e]{1,300}$/, 'must be the name of a permission')), 'must be a list'),
  v.maxLength(200, 'must be a list of at most 200'),
);

function isWebAddress(value: string): boolean {
  if (value === '') return true;
  if (/^https?:\/\//i.test(value)) return URL.canParse(value);
  if (!URL.canParse(value, 'http://site')) return false;
  return /^https?:$/.test(new URL(value, 'http://site').protocol);
}

function isPlainTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) && isTime(`${value.replace(' ', 'T')}Z`);
}

function isDate(value: string): boolean {
  return /^\d{4}\/\d\d\/\d\d$/.test(value) && isTime(`${value.replaceAll('/', '-')}T00:00:00Z`);
}

// Date.parse reads 30 February as 1 March.
function isTime(iso: string): boolean {
  const at = Date.parse(iso);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === iso.slice(0, 10);
}

function isInstant(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
}

export const siteSchema = record({
  name: filled,
  publicUrl: v.optional(address),
  timeZone: v.optional(text),
  settings: v.optional(v.record(text, v.union([text, flag, v.number()], 'must be text, a number, true or false'))),
});

const pair = v.pipe(v.strictTuple([id, id], 'must be a pair of member ids'), v.readonly());

const visibility = v.partial(
  v.strictObject(
    v.entriesFromList(optionalPersonFields, level),
    `must be an object with a level for any of ${optionalPersonFields.join(', ')}`,
  ),
);

export const recordSchemas = {
  members: record({
    id,
    displayName: filled,
    thumbnailUrl: v.optional(address, ''),
    aboutMe: v.optional(text, ''),
    region: v.optional(title, ''),
    birthday: v.optional(date, ''),
    gender: v.optional(v.picklist(['male', 'female', ''], 'must be male, female or empty'), ''),
    language: v.optional(title, ''),
    visibility: v.optional(visibility, {}),
    admin: v.optional(flag),
    password: v.optional(filled),
    passwordHash: v.optional(filled), // from an export
  }),
  friendships: pair,
  blocks: pair,
  apps: record({
    id,
    title: filled,
    url: v.optional(address, ''),
    manifest: v.optional(address),
    active: v.optional(flag), // absent: unchanged
  }),
  // The visibility of a removed app's posts stays.
  installs: record({
    appId: id,
    memberId: id,
    visibility: v.optional(level),
    removed: v.optional(flag, false),
    /** Time of the member's decision: the later record counts. */
    changedAt: v.optional(instant),
    /** Permissions that the member allowed; absent for an app without limits. */
    permissions: v.optional(permissions),
    /** With `removed`: deletes the app's AppData too. */
    removesData: v.optional(flag, false),
  }),
  consumers: record({
    key: filled,
    secret: v.optional(filled),
    publicKey: v.optional(text),
    kind: v.picklist(['app', 'member', 'admin'], 'must be app, member or admin'),
    memberId: v.optional(id),
    appId: v.optional(id),
    title: v.optional(title),
    method: v.optional(v.picklist(signatureMethods, `must be one of ${signatureMethods.join(', ')}`)),
    requireBodyHash: v.optional(flag, false),
    container: v.optional(flag, false),
    anyMember: v.optional(flag, false),
  }),
  activities: record({
    id,
    userId: id,
    title: filled,
    url: v.optional(address, ''),
    postedTime: instant,
    appId: v.optional(id),
  }),
  // Not v.record, which drops keys such as __proto__. Keys and values have rules of their own.
  appData: record({
    appId: id,
    memberId: id,
    data: v.custom<{ readonly [key: string]: Json }>(isRecord, 'must be an object'),
  }),
  albums: record({
    id,
    ownerId: id,
    title,
    description: v.optional(text, ''),
    mediaItemCount: v.optional(v.unknown()), // counted
    thumbnailUrl: v.optional(address, ''),
    mediaType: v.optional(v.literal('IMAGE', 'must be IMAGE'), 'IMAGE'),
    visibility: v.optional(level, 'site'),
  }),
  mediaItems: record({
    id,
    albumId: id,
    title: v.optional(title, ''),
    description: v.optional(text, ''),
    created: v.optional(mediaTime),
    lastUpdated: v.optional(mediaTime),
    fileSize: v.optional(v.pipe(text, v.regex(/^\d{1,15}$/, 'must be decimal digits')), '0'),
    thumbnailUrl: v.optional(address, ''),
    type: v.optional(v.literal('IMAGE', 'must be IMAGE'), 'IMAGE'),
    url: v.optional(address, ''),
    visibility: v.optional(level, 'site'),
    file: v.optional(filled),
  }),
} as const;

/** Removes a member with all their data. */
export const removalSchema = record({ id, deleted: v.literal(true, 'must be true') });

export type RecordKind = keyof typeof recordSchemas;
export type WorldRecord<K extends RecordKind> = v.InferOutput<(typeof recordSchemas)[K]>;
export type Site = v.InferOutput<typeof siteSchema>;

export type World = { readonly [K in RecordKind]: readonly WorldRecord<K>[] } & {
  readonly site: Site | undefined;
  /** Ids of removed members; removals run first. */
  readonly removed: readonly string[];
  /** Friendships and blocks to end, also first. */
  readonly endedFriendships: readonly Pair[];
  readonly endedBlocks: readonly Pair[];
};

export function siteSettings(site: Site): readonly (readonly [name: string, value: string])[] {
  const { name, timeZone, settings = {} } = site;
  const all = { name, ...(timeZone !== undefined && { timeZone }), ...settings };
  return Object.entries(all).map(([setting, value]) => [setting, String(value)] as const);
}
