import type { Database, Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { createSiteTime } from './site-time.ts';
import { type StoredSetting, settingWrite, storedSettings } from './store/settings.ts';
import { everythingChanged, readEpoch } from './store/versions.ts';

/** What an administrator can change while the site runs; a change holds from the next request on, in every process. */
export interface Settings {
  readonly name: string;
  /** IANA name of the zone in which times are written and ages counted. */
  readonly timeZone: string;
  readonly apiVersion: '1.2' | '0.9.3';
  /** Whether the site has the album extension. */
  readonly albums: boolean;
  /** Whole seconds between two posts of one member through one app; 0 switches the limit off. */
  readonly minimumInterval: number;
  /** Items of a page where a request does not say: 1 to 100. */
  readonly pageSize: number;
  /** Requests a minute of one key, in each process; behind the site's own keys, of one member. 0 is no limit. */
  readonly rateLimit: number;
  /** How many of them may come at once. */
  readonly rateBurst: number;
  readonly albumsPerMember: number;
  readonly photosPerAlbum: number;
  /** Megabytes (MiB) of one uploaded photo. */
  readonly photoMegabytes: number;
  /** Megabytes of all photos of one member. */
  readonly memberMegabytes: number;
}

export type SettingName = keyof Settings;

interface Setting<T> {
  readonly initial: T;
  /** What a value must be, for messages. */
  readonly right: string;
  parse(text: string): T | undefined;
}

const definitions: { readonly [Name in SettingName]: Setting<Settings[Name]> } = {
  name: { initial: 'Gantry', right: 'text of 1 to 200 characters', parse: (text) => ofLength(text, 200) },
  timeZone: { initial: 'UTC', right: 'a time zone such as Europe/London', parse: knownTimeZone },
  apiVersion: {
    initial: '1.2',
    right: '1.2 or 0.9.3',
    parse: (text) => (text === '1.2' || text === '0.9.3' ? text : undefined),
  },
  albums: {
    initial: true,
    right: 'true or false',
    parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  },
  minimumInterval: { initial: 30, right: 'whole seconds from 0 to 86400', parse: (text) => integer(text, 0, 86_400) },
  pageSize: { initial: 20, right: 'a whole number from 1 to 100', parse: (text) => integer(text, 1, 100) },
  rateLimit: {
    initial: 0,
    right: 'requests a minute of one key, from 0 (no limit) to 600000',
    parse: (text) => integer(text, 0, 600_000),
  },
  rateBurst: {
    initial: 100,
    right: 'requests that may come at once, from 1 to 100000',
    parse: (text) => integer(text, 1, 100_000),
  },
  albumsPerMember: { initial: 100, right: 'a whole number from 1 to 10000', parse: (text) => integer(text, 1, 10_000) },
  photosPerAlbum: { initial: 500, right: 'a whole number from 1 to 10000', parse: (text) => integer(text, 1, 10_000) },
  photoMegabytes: { initial: 20, right: 'megabytes from 1 to 200', parse: (text) => integer(text, 1, 200) },
  memberMegabytes: {
    initial: 1000,
    right: 'megabytes from 1 to 999999',
    parse: (text) => integer(text, 1, 999_999),
  },
};

export const settingNames = Object.keys(definitions) as readonly SettingName[];

export async function readSettings(db: Database): Promise<Settings> {
  return parseSettings(await storedSettings(db));
}

/** What every request needs to know of the site. */
export interface SiteState {
  /** Changes with the settings, and with whatever else makes every validator void. */
  readonly epoch: string;
  readonly settings: Settings;
}

/** Makes the function that asks the database for the epoch every time, and for the settings when it changed. */
export function siteReader(db: Database): () => Promise<SiteState> {
  let last: SiteState | undefined;
  return async () => {
    const epoch = await readEpoch(db);
    if (last?.epoch !== epoch) last = { epoch, settings: await readSettings(db) };
    return last;
  };
}

function parseSettings(stored: readonly StoredSetting[]): Settings {
  const texts = new Map(stored.map(({ name, value }) => [name, value]));
  const read = <Name extends SettingName>(name: Name): Settings[Name] => {
    const { parse, initial } = definitions[name];
    const text = texts.get(name);
    return (text === undefined ? undefined : parse(text)) ?? initial;
  };
  return {
    name: read('name'),
    timeZone: read('timeZone'),
    apiVersion: read('apiVersion'),
    albums: read('albums'),
    minimumInterval: read('minimumInterval'),
    pageSize: read('pageSize'),
    rateLimit: read('rateLimit'),
    rateBurst: read('rateBurst'),
    albumsPerMember: read('albumsPerMember'),
    photosPerAlbum: read('photosPerAlbum'),
    photoMegabytes: read('photoMegabytes'),
    memberMegabytes: read('memberMegabytes'),
  };
}

/**
 * Changes one setting.
 *
 * @param value As text, for example `'30'` or `'false'`.
 * @throws SocialError BAD_REQUEST that says which names or values there are.
 */
export async function writeSetting(db: Database, name: string, value: string): Promise<void> {
  await db.batch([settingStatement(name, value), ...everythingChanged()]);
}

/** The statement of `writeSetting`, for a batch that has `everythingChanged`. */
export function settingStatement(name: string, value: string): Statement {
  const problem = settingProblem(name, value);
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', `${name} ${problem}.`);
  return settingWrite(name, value);
}

/** What is wrong with a setting, as the end of a sentence that begins with its name; `undefined` for nothing. */
export function settingProblem(name: string, value: string): string | undefined {
  if (!isSettingName(name)) return `is no setting: the settings are ${settingNames.join(', ')}`;
  const { parse, right } = definitions[name];
  return parse(value) === undefined ? `must be ${right}` : undefined;
}

/** What the value of a setting must be, for people: `true or false`. */
export function settingRule(name: SettingName): string {
  return definitions[name].right;
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(definitions, name);
}

function ofLength(text: string, most: number): string | undefined {
  return text.trim() !== '' && text.length <= most ? text : undefined;
}

function integer(text: string, least: number, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,6}$/.test(text) && value >= least && value <= most ? value : undefined;
}

function knownTimeZone(text: string): string | undefined {
  try {
    createSiteTime(text);
    return text;
  } catch {
    return undefined;
  }
}
