import { type DocumentSource, findKnownApp, listApps, type RegisteredApp, viewsOf } from '@gantry/proxy';
import {
  type AppSource,
  addApp,
  createGantry,
  type Gantry,
  type NodeListener,
  readLogLevel,
  siteHaving,
} from '@gantry/server';
import { mediaFile, memberExists, siteChanges, writeSetting } from '@gantry/service';
import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import pino from 'pino';
import { type CallRoutes, createCallRoutes } from './call-routes.ts';
import { type Clock, createClock } from './clock.ts';
import type { ManifestFacts } from './explain/manifest-line.ts';
import { createFaults, type Faults, type InjectedFault } from './faults.ts';
import { createLabServer } from './lab-server.ts';
import { copyWorld, keepWorld, type LabData } from './lab-stores.ts';
import { observeProxy } from './observe-proxy.ts';
import { createPermissions, type Permissions, permissionNames } from './permissions.ts';
import { type PreparedWorld, prepareWorld } from './prepare-world.ts';
import { createRecord, type Record } from './record/create-record.ts';
import { nobody, type Scenario } from './scenario/scenario.ts';
import { createSocial, type Social } from './social.ts';
import { createStoredData, type StoredData } from './stored-data.ts';
import { findWorld } from './worlds/find-world.ts';
import { worldPicture } from './worlds/pictures.ts';
import type { Persona, World, WorldSource } from './worlds/world.ts';

/** App to register. */
export type LabApp = Exclude<AppSource, { readonly file: string }>;

export interface LabOptions {
  /** Names the lab in its record. Default: `lab`. */
  readonly name?: string | undefined;
  /** Origin at which the lab is reached. */
  readonly url: string;
  readonly apps: readonly LabApp[];
  /** Data of the site; a prepared world makes a lab in milliseconds. Default: the scenario's. */
  readonly world?: WorldSource | World | PreparedWorld | undefined;
  readonly scenario?: Scenario | undefined;
  /** Default: the system's, ahead by the scenario's seconds. The lab closes only that one. */
  readonly clock?: Clock | undefined;
  /** Random bytes. `seededRandom` and a stopped clock give two runs the same ids and tokens. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
  readonly documents?: DocumentSource | undefined;
  /** Default: one of its own. */
  readonly record?: Record | undefined;
  /** Folder in which the data stays after `close`, for the next lab. Absent: nothing stays. */
  readonly keep?: string | undefined;
  /** Default: JSON lines on standard error from the level `GANTRY_LOG` on, or silence. */
  readonly log?: Logger | undefined;
}

/** A site with data in this process, with control of time, randomness, network and permissions. */
export interface Lab {
  readonly name: string;
  readonly gantry: Gantry;
  readonly record: Record;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Calls that a test answers, fails, holds or lets through. */
  readonly calls: CallRoutes;
  readonly permissions: Pick<Permissions, 'set'>;
  /** Members who act elsewhere. */
  readonly social: Social;
  /** Suggested viewers; the first is the default. */
  readonly personas: readonly Persona[];
  /** Handles requests of Node's server, with the faults of the network. */
  readonly listener: NodeListener;
  /** Handles a request without a network. Rejects with a TypeError on a lost connection. */
  fetch(request: Request): Promise<Response>;
  /** Apps as they are registered now. */
  apps(): Promise<readonly AppInLab[]>;
  /** Returns the `gadget.json` of an app as it is registered now. */
  manifest(app: string): Promise<ManifestFacts | undefined>;
  /** Data of members in the database. */
  readonly stored: StoredData;
  /**
   * Registers an app, or its changed `gadget.json`. Members with everything get what is new.
   *
   * @returns Permissions that it did not declare before: members will be asked for them.
   * @throws SocialError BAD_REQUEST in one line for a manifest that cannot be used.
   */
  register(app: LabApp): Promise<{ readonly asks: readonly string[] }>;
  /**
   * Changes permissions, network, API version, albums and interval; absent members stay. `clock`
   * changes time, and pages their viewer.
   *
   * @throws SocialError BAD_REQUEST in one line for an unknown member or an invalid value.
   */
  apply(scenario: Scenario): Promise<void>;
  /** Returns whether a picture below `/gantry/media/` is this lab's. */
  hasMedia(token: string): Promise<boolean>;
  /** Ends the lab, and removes its files unless `keep` was given. */
  close(): Promise<void>;
}

export interface AppInLab {
  readonly id: string;
  readonly name: string;
  readonly views: readonly string[];
  /** Permissions that it declares. */
  readonly permissions: readonly string[];
}

/**
 * Request header that names the member of a page. The lab accepts it from pages of its own origin
 * only; pages of other origins cannot send it, since the preflight is never granted.
 */
export const personaHeader = 'Gantry-Persona';

/**
 * Makes a site with data, for tools and tests: the real proxy and service over SQLite in memory.
 *
 * @example
 * const lab = await createLab({
 *   url: 'http://127.0.0.1:4500',
 *   apps: [{ id: 'notes', folder: 'demo/apps/notes' }],
 * });
 * lab.faults.once('activities.create').dropReply();
 * lab.clock.jump(30_000);
 * lab.record.entries.map(({ kind }) => kind); // ['clock']
 * await lab.close();
 * @throws SocialError BAD_REQUEST in one line for a wrong world, app or scenario.
 */
export async function createLab(options: LabOptions): Promise<Lab> {
  const { name = 'lab', url, apps, scenario = {}, documents, random, record = createRecord() } = options;
  const log =
    options.log ?? pino({ level: readLogLevel(process.env, 'silent') }, pino.destination({ dest: 2, sync: true }));
  const clock = options.clock ?? createClock();
  const { now } = clock;
  const closing: (() => Promise<void> | void)[] = [];
  const injected = (fault: InjectedFault): void => void record.add({ kind: 'fault', ...fault, lab: name, atMs: now() });
  const calls = createCallRoutes({ now, injected });
  async function close(): Promise<void> {
    calls.end(); // first: calls that are held or delayed would block the site
    if (!options.clock) clock.close();
    for (const end of closing.splice(0).reverse()) await end();
  }

  try {
    if (scenario.clock !== undefined) jump(clock, scenario.clock);
    const data = await openData({ ...options, scenario, now });
    closing.push(data.close);
    const { stores } = data;
    const { db } = stores;
    await applySettings(db, scenario);
    await requireMembers(db, scenario);
    const permissions = createPermissions({ db, changes: siteChanges, installs: siteHaving(db), now, log });
    const faults = createFaults({ clock, permissions, network: scenario.network, lost: () => server.lose(), injected });
    const gantry = await createGantry({
      data: data.folder,
      stores,
      url,
      log,
      documents,
      now,
      random,
      pause: clock.pause,
      every: clock.every,
      middleware: (next) => faults.middleware(calls.middleware(next)),
      observe: observeProxy({ record, lab: name, now }),
      async viewer(request) {
        const persona = personaOf(request, url);
        return persona !== undefined && (await permissions.ready(persona)) ? persona : undefined;
      },
      site: async (request) => worldPicture(new URL(request.url).pathname) ?? new Response(null, { status: 404 }),
    });
    closing.push(gantry.close);
    const server = createLabServer({ gantry, faults, url, personaHeader });
    closing.push(
      clock.subscribe(({ jumpMs, isStopped }) => {
        record.add({ kind: 'clock', jumpMs, isStopped, lab: name, atMs: now() });
      }),
    );

    async function register(app: LabApp): Promise<{ readonly asks: readonly string[] }> {
      const { id } = app;
      const mode = (await findKnownApp(db, id)) ? 'update' : 'new';
      const before = await declaredIn(db, id);
      await addApp(stores, { ...app, live: true, mode, trusted: false, now, random });
      await permissions.renew(id);
      const after = (await declaredIn(db, id)) ?? [];
      return { asks: before ? after.filter((one) => !before.includes(one)) : [] };
    }
    for (const app of apps) await register(app);
    await permissions.set(scenario.permissions ?? 'all');

    const appIds = async () => (await listApps(db)).map(({ id }) => id);
    const social = createSocial({ gantry, url, clock, appIds });
    return {
      name,
      gantry,
      record,
      clock,
      faults,
      calls,
      permissions,
      social,
      personas: data.personas,
      listener: server.listener,
      fetch: server.fetch,
      register,
      close,
      async apply(next) {
        await requireMembers(db, next);
        await applySettings(db, next);
        if (next.permissions !== undefined) await permissions.set(next.permissions);
        if (next.network !== undefined) faults.network = next.network;
      },
      apps: async () => (await listApps(db)).map(factsOf),
      manifest: async (app) => (await listApps(db)).find(({ id }) => id === app)?.manifest,
      stored: createStoredData(db),
      hasMedia: async (token) => (await mediaFile(db, token)) !== undefined,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws SocialError BAD_REQUEST */
function jump(clock: Clock, seconds: number): void {
  try {
    clock.jump(Math.round(seconds * 1000));
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', 'clock is a number of seconds from 0 to 100 years.', { cause });
  }
}

async function openData(
  options: LabOptions & { readonly scenario: Scenario; readonly now: () => number },
): Promise<LabData> {
  const { world = options.scenario.world ?? 'friendly', apps, keep, now, random } = options;
  const ready = typeof world === 'object' && 'content' in world ? world : undefined;
  if (ready && keep === undefined) return copyWorld(ready, { now, random });
  const source =
    ready?.source ??
    (typeof world === 'object' ? (world as World) : await findWorld(world, { now, apps: apps.map(({ id }) => id) }));
  if (keep !== undefined) return keepWorld(source, { folder: keep, now });
  const prepared = await prepareWorld(source, { now, random });
  try {
    return await copyWorld(prepared, { now, random });
  } finally {
    await prepared.close();
  }
}

/** Writes the settings of the scenario, which the service enforces. */
async function applySettings(db: Database, { api, albums, interval }: Scenario): Promise<void> {
  const settings = { apiVersion: api, albums, minimumInterval: interval };
  for (const [setting, value] of Object.entries(settings)) {
    if (value !== undefined) await writeSetting(db, setting, String(value));
  }
}

/** @throws SocialError BAD_REQUEST for a member of the scenario whom the world does not have. */
async function requireMembers(db: Database, { persona, owner }: Scenario): Promise<void> {
  for (const id of [persona === nobody ? undefined : persona, owner]) {
    if (id === undefined || (await memberExists(db, id))) continue;
    throw new SocialError('BAD_REQUEST', `This world has no member ${id}.`);
  }
}

async function declaredIn(db: Database, id: string): Promise<readonly string[] | undefined> {
  const app = (await listApps(db)).find((one) => one.id === id);
  return app && permissionNames(app);
}

function factsOf(app: RegisteredApp): AppInLab {
  const { id, manifest } = app;
  return { id, name: manifest.name, views: viewsOf(manifest), permissions: permissionNames(app) };
}

/** Returns the member that a page of this origin names. */
function personaOf({ headers }: Request, url: string): string | undefined {
  const persona = headers.get(personaHeader) ?? nobody;
  const site = headers.get('sec-fetch-site') ?? 'same-origin';
  const isOwn = site === 'same-origin' && (headers.get('origin') ?? url) === url;
  return isOwn && persona !== nobody ? persona : undefined;
}
