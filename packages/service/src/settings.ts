import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { everythingChanged, readEpoch } from './store/versions.ts';
import { createZonedTime } from './zoned-time.ts';

/** Settings of a site. A change applies to the next request in every process. */
export interface Settings {
  readonly name: string;
  /** IANA name of the time zone for written times and ages. */
  readonly timeZone: string;
  readonly apiVersion: '1.2' | '0.9.3';
  /** True if the site has the album extension. */
  readonly albums: boolean;
  /** Seconds between two posts of one member through one app; 0 disables the limit. */
  readonly minimumInterval: number;
  /** Default page size, 1 to 100. */
  readonly pageSize: number;
  /** Requests a minute of one key, or one member for the site's keys. 0: no limit. */
  readonly rateLimit: number;
  /** Requests that may come at once. */
  readonly rateBurst: number;
  readonly albumsPerMember: number;
  readonly photosPerAlbum: number;
  /** MiB of one uploaded photo. */
  readonly photoMegabytes: number;
  /** MiB of all photos of one member. */
  readonly memberMegabytes: number;
}

export type SettingName = keyof Settings;

interface Setting<T> {
  readonly initial: T;
  /** Describes valid values, for messages. */
  readonly rule: string;
  parse(text: string): T | undefined;
}

const definitions: { readonly [Name in SettingName]: Setting<Settings[Name]> } = {
  name: {
    initial: 'Gantry',
    rule: 'text of 1 to 200 characters',
    parse: (text) => (text.trim() !== '' && text.length <= 200 ? text : undefined),
  },
  timeZone: { initial: 'UTC', rule: 'a time zone such as Europe/London', parse: knownTimeZone },
  apiVersion: {
    initial: '1.2',
    rule: '1.2 or 0.9.3',
    parse: (text) => (text === '1.2' || text === '0.9.3' ? text : undefined),
  },
  albums: {
    initial: true,
    rule: 'true or false',
    parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  },
  minimumInterval: integer(30, { least: 0, most: 86_400, rule: 'whole seconds from 0 to 86400' }),
  pageSize: integer(20, { least: 1, most: 100, rule: 'a whole number from 1 to 100' }),
  rateLimit: integer(0, { least: 0, most: 600_000, rule: 'requests a minute of one key, from 0 (no limit) to 600000' }),
  rateBurst: integer(100, { least: 1, most: 100_000, rule: 'requests that may come at once, from 1 to 100000' }),
  albumsPerMember: integer(100, { least: 1, most: 10_000, rule: 'a whole number from 1 to 10000' }),
  photosPerAlbum: integer(500, { least: 1, most: 10_000, rule: 'a whole number from 1 to 10000' }),
  photoMegabytes: integer(20, { least: 1, most: 200, rule: 'megabytes from 1 to 200' }),
  memberMegabytes: integer(1000, { least: 1, most: 999_999, rule: 'megabytes from 1 to 999999' }),
};

export const settingNames = Object.keys(definitions) as readonly SettingName[];

/** Returns the settings; those never set have their defaults. */
export async function readSettings(db: Database): Promise<Settings> {
  const rows = await db.query<StoredSetting>(allSettings);
  const texts = new Map(rows.map(({ name, value }) => [name, value]));
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

export interface StoredSetting {
  readonly name: string;
  readonly value: string;
}

/** Reads the stored settings; one that was never set has no row. */
export const allSettings: Statement = sql`select name, value from setting order by name`;

/** State of the site that every request reads. */
export interface SiteState {
  /** Changes with the settings, and whenever all validators become void. */
  readonly epoch: string;
  readonly settings: Settings;
}

/** Creates the function that reads the epoch each time, and the settings once it changed. */
export function createSiteReader(db: Database): () => Promise<SiteState> {
  let last: SiteState | undefined;
  return async () => {
    const epoch = await readEpoch(db);
    if (last?.epoch !== epoch) last = { epoch, settings: await readSettings(db) };
    return last;
  };
}

/**
 * Changes one setting.
 *
 * @param value As text, for example `'30'` or `'false'`.
 * @throws SocialError BAD_REQUEST that lists the valid names or values.
 */
export async function writeSetting(db: Database, name: string, value: string): Promise<void> {
  await db.batch([settingStatement(name, value), ...everythingChanged()]);
}

/** Builds the statement of `writeSetting`, for a batch that includes `everythingChanged`. */
export function settingStatement(name: string, value: string): Statement {
  const problem = settingProblem(name, value);
  if (problem !== undefined) throw new SocialError('BAD_REQUEST', `${name} ${problem}.`);
  return sql`
    insert into setting (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}

/** Returns the fault of a setting as the end of a sentence that begins with its name, if any. */
export function settingProblem(name: string, value: string): string | undefined {
  if (!isSettingName(name)) return `is no setting: the settings are ${settingNames.join(', ')}`;
  const { parse, rule } = definitions[name];
  return parse(value) === undefined ? `must be ${rule}` : undefined;
}

/** Describes the valid values of a setting, for people: `true or false`. */
export function settingRule(name: SettingName): string {
  return definitions[name].rule;
}

/** Returns true for the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(definitions, name);
}

function integer(
  initial: number,
  { least, most, rule }: { readonly least: number; readonly most: number; readonly rule: string },
): Setting<number> {
  const isInRange = (text: string) => /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return { initial, rule, parse: (text) => (isInRange(text) ? Number(text) : undefined) };
}

function knownTimeZone(text: string): string | undefined {
  try {
    createZonedTime(text);
    return text;
  } catch {
    return undefined;
  }
}
