import { signRequest } from '@gantry/oauth';
import { forgetMembers } from '@gantry/proxy';
import type { Gantry } from '@gantry/server';
import { type Credentials, importWorld, newConsumer, type SiteRecord } from '@gantry/service';
import { sql } from '@gantry/store';
import { type Activity, type AppData, isRecord, type Person, SocialError } from '@gantry/wire';
import { codeOf } from './call-filter.ts';
import type { Clock } from './clock.ts';
import type { WorldFile } from './world-file.ts';

/** Members of a lab who act elsewhere: on the site's own pages or in another browser. */
export interface Social {
  /**
   * Adds records to the site, all or none. Records that exist are changed.
   *
   * @param world Lists of a world file (docs/world-file.md).
   * @param options.folder Folder of relative paths of pictures. Default: that of the process.
   * @throws SocialError BAD_REQUEST that names the first bad record by its path, for example
   * `members[17].displayName`.
   */
  seed(world: WorldLists, options?: { readonly folder?: string }): Promise<void>;
  /** @param member Id. */
  as(member: string): ActingMember;
}

/** Lists of a world file. Their members are those of docs/world-file.md; the site checks them. */
export type WorldLists = {
  readonly [List in Exclude<keyof WorldFile, 'site'> | 'consumers']?: readonly unknown[];
};

/**
 * One member: their actions, and the data that the site holds for them. Open pages receive each
 * write as an event, as far as their viewers may see it. All methods throw the errors of the API as
 * SocialError, and BAD_REQUEST for an unknown member or app, or an invalid text.
 */
export interface ActingMember {
  /** Posts on the site's own pages, which have no posting interval. @returns The activity's id. */
  post(activity: string | { readonly title: string; readonly url?: string; readonly app?: string }): Promise<string>;
  befriend(member: string): Promise<void>;
  unfriend(member: string): Promise<void>;
  block(member: string): Promise<void>;
  unblock(member: string): Promise<void>;
  /** Gives the member an app, as a site does. @param app Default: the only app of the lab. */
  install(app?: string): Promise<void>;
  /**
   * Saves AppData: keys that are not named stay.
   *
   * @param app Default: the only app of the lab.
   * @throws SocialError BAD_REQUEST for a member without the app, whose AppData no app would see.
   */
  write(data: AppData, app?: string): Promise<void>;
  /** @returns The album's id. */
  addAlbum(album: {
    readonly title: string;
    readonly description?: string;
    readonly visibility?: Level;
  }): Promise<string>;
  /** @param photo.url Address of the picture. @returns The photo's id. */
  addPhoto(
    album: string,
    photo: {
      readonly url: string;
      readonly title?: string;
      readonly description?: string;
      readonly visibility?: Level;
    },
  ): Promise<string>;
  /** The member's own, the latest first. */
  activities(): Promise<readonly Activity[]>;
  friends(): Promise<readonly Person[]>;
  /** @param app Default: the only app of the lab. */
  appData(app?: string): Promise<AppData>;
  albums(): Promise<readonly Listed[]>;
  photos(album: string): Promise<readonly Listed[]>;
}

type Level = 'site' | 'friends' | 'private';

/** An album or a photo, as the API answers it. */
export type Listed = Readonly<Record<string, unknown>> & { readonly id: string };

const pageSize = 100;

/** @param options.appIds Ids of the lab's apps, as they are now. */
export function createSocial(options: {
  readonly gantry: Pick<Gantry, 'fetch' | 'saveRecords' | 'stores'>;
  readonly url: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly appIds: () => Promise<readonly string[]>;
}): Social {
  const { gantry, url, clock, appIds } = options;
  const { db, secretKey, mediaFolder } = gantry.stores;
  const keys = new Map<string, Promise<Credentials>>();
  let count = 0;

  /** Returns an id higher than all before, since ids order records of the same second. */
  function nextId(): string {
    count += 1;
    return `${String(clock.now()).padStart(13, '0')}${String(count).padStart(9, '0')}`;
  }

  async function onlyApp(member: string, call: 'install' | 'write' | 'appData'): Promise<string> {
    const ids = await appIds();
    const [only] = ids;
    if (only !== undefined && ids.length === 1) return only;
    throw new SocialError('BAD_REQUEST', nameTheApp(member, call, ids));
  }

  /** Makes a consumer key that speaks for any member, limited to an app if one is given. */
  function keyFor(app: string | undefined): Promise<Credentials> {
    const name = app ?? '';
    const key = keys.get(name) ?? makeKey(app);
    keys.set(name, key);
    key.catch(() => keys.delete(name));
    return key;
  }
  async function makeKey(appId: string | undefined): Promise<Credentials> {
    // `container`: the site itself reads the data, so the member need not have the app.
    const kind =
      appId === undefined
        ? ({ kind: 'admin', anyMember: true } as const)
        : ({ kind: 'app', container: true, appId } as const);
    const { statement, ...credentials } = newConsumer({ ...kind, secretKey, now: clock.now });
    await db.query(statement);
    return credentials;
  }

  async function get(member: string, path: string, app?: string): Promise<Readonly<Record<string, unknown>>> {
    const { origin } = new URL(url);
    const query = `${path.includes('?') ? '&' : '?'}xoauth_requestor_id=${encodeURIComponent(member)}`;
    const target = `/social/rest${path}${query}`;
    const consumer = await keyFor(app);
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = signRequest({ method: 'GET', url: origin + target, consumer, timestamp, nonce: nextId() });
    const response = await gantry.fetch(new Request(origin + target, { headers }), target);
    const body: unknown = await response.json();
    if (isRecord(body) && response.ok) return body;
    throw errorOf(body, response.status);
  }

  async function list<T>(member: string, path: string): Promise<readonly T[]> {
    const items: T[] = [];
    for (;;) {
      const { entry, totalResults } = await get(member, `${path}?count=${pageSize}&startIndex=${items.length}`);
      const page = entry as readonly T[];
      items.push(...page);
      if (page.length === 0 || items.length >= Number(totalResults)) return items;
    }
  }

  async function save(record: SiteRecord): Promise<void> {
    await gantry.saveRecords([record]);
  }

  /** Saves a record under a new id, and returns that. */
  async function add(recordOf: (id: string) => SiteRecord): Promise<string> {
    const id = nextId();
    await save(recordOf(id));
    return id;
  }

  return {
    async seed(world, { folder = process.cwd() } = {}) {
      await importWorld(db, world, { folder, mediaFolder, secretKey, now: clock.now, alsoRemove: forgetMembers });
    },
    as: (member) => ({
      post(activity) {
        const { app, ...fields } = typeof activity === 'string' ? { title: activity } : { app: undefined, ...activity };
        const postedTime = new Date(clock.now()).toISOString();
        const through = app === undefined ? {} : { appId: app };
        return add((id) => ({ kind: 'activity', id, userId: member, postedTime, ...fields, ...through }));
      },
      befriend: (other) => save({ kind: 'friendship', members: [member, other] }),
      unfriend: (other) => save({ kind: 'friendship', members: [member, other], deleted: true }),
      block: (other) => save({ kind: 'block', members: [member, other] }),
      unblock: (other) => save({ kind: 'block', members: [member, other], deleted: true }),
      install: async (app) =>
        save({ kind: 'install', memberId: member, appId: app ?? (await onlyApp(member, 'install')) }),
      async write(data, app) {
        const appId = app ?? (await onlyApp(member, 'write'));
        const has = sql`select 1 from member_app where member_id = ${member} and app_id = ${appId} and installed = 1`;
        if ((await db.query(has)).length === 0) {
          const cure = `await gantry.social.as('${member}').install('${appId}')`;
          throw new SocialError(
            'BAD_REQUEST',
            `${member} does not have ${appId}, so no app sees what it saves: ${cure} first.`,
          );
        }
        await save({ kind: 'appData', memberId: member, appId, data });
      },
      addAlbum: (album) => add((id) => ({ kind: 'album', id, ownerId: member, ...album })),
      addPhoto: (album, photo) => add((id) => ({ kind: 'mediaItem', id, albumId: album, ...photo })),
      activities: () => list<Activity>(member, '/activities/@me/@self'),
      friends: () => list<Person>(member, '/people/@me/@friends'),
      async appData(app) {
        const id = app ?? (await onlyApp(member, 'appData'));
        const { entry } = await get(member, `/appData/@me/@self/${encodeURIComponent(id)}`, id);
        return (entry as Readonly<Record<string, AppData>>)[member] ?? {};
      },
      albums: () => list<Listed>(member, '/albums/@me/@self'),
      photos: (album) => list<Listed>(member, `/mediaitems/@me/@self/${encodeURIComponent(album)}`),
    }),
  };
}

/** @param call Method of the member; its last parameter is the app. */
function nameTheApp(member: string, call: 'install' | 'write' | 'appData', ids: readonly string[]): string {
  const [app = 'the-app'] = ids;
  const example = `as('${member}').${call}(${call === 'write' ? 'data, ' : ''}'${app}')`;
  const needs = call === 'write' ? ` The member has to have it: as('${member}').install('${app}').` : '';
  return `Name the app, as in ${example}: the site has ${ids.join(', ') || 'none'}.${needs}`;
}

function errorOf(body: unknown, status: number): SocialError {
  const message = isRecord(body) && isRecord(body.error) ? body.error.message : undefined;
  const text = typeof message === 'string' ? message : `The site answered ${status}.`;
  return new SocialError(codeOf(status) ?? 'UPSTREAM_FAILED', text);
}
