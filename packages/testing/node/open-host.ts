import { randomBytes } from 'node:crypto';
import {
  type Clock,
  createLab,
  type Entry,
  type Faults,
  findWorld,
  type Lab,
  type LabApp,
  nobody,
  type PreparedWorld,
  prepareWorld,
  type Scenario,
  type World,
  type WorldSource,
} from '@gantry/lab';
import { fileOf } from '@gantry/lab/host';
import { createLabClock } from '@gantry/lab/page';
import { createTape, type Tape } from '@gantry/lab/tape';
import { delegate, processSdk, type Sdk } from '@gantry/osapi/testing';
import { type RecordView, withRecordView } from '@gantry/testing/record-view';
import { isAbsent } from './absent.ts';
import { findApp, type GadgetManifest } from './find-app.ts';
import { labFetch } from './lab-fetch.ts';
import { type Member, openMember } from './member.ts';
import { restoreOwnBytes } from './own-bytes.ts';

export interface HostOptions {
  /** The app: a folder with a `gadget.json`, its content or a registration. Default: `.` */
  readonly app?: string | LabApp | GadgetManifest | undefined;
  /**
   * Data of the site: a name, the path of a file, a function, or a prepared world, which opens
   * fastest. Default: the scenario's.
   */
  readonly world?: WorldSource | World | PreparedWorld | undefined;
  readonly scenario?: Scenario | undefined;
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
  /** Random bytes of the site. With `seededRandom` two runs have the same ids. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/** One member's side of the app: the SDK, and the record of its conversation with the page. */
export interface MemberHost extends Sdk, Omit<RecordView, 'logs'> {
  /** Id of the member, or `nobody`. */
  readonly viewer: string;
  /** The conversation up to now, as a file has it. */
  tape(): Tape;
  /** Reconnects the app, after half a second for `teardown` listeners. Its state stays. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** A whole site in this process. `@gantry/osapi` uses it while it is open. */
export interface Host extends MemberHost {
  /** Id of the app under test. */
  readonly app: string;
  readonly lab: Lab;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Mounts the app for another member of the site, with an SDK of its own. */
  open(persona: string, scenario?: Scenario): Promise<MemberHost>;
  /** Replaces the site: same world, empty record, no faults, current time. */
  reset(): Promise<void>;
  /** Throws: there is no page in Node. */
  readonly page: never;
  readonly element: never;
  readonly frame: never;
}

const url = 'http://127.0.0.1'; // a loopback origin, so that errors carry messages for authors; nothing listens there

/**
 * Opens a site around code under test that uses `@gantry/osapi`: the real SDK, port, container,
 * proxy and service, in memory.
 *
 * @example
 * import { osapi } from '@gantry/osapi';
 * const host = await openHost({ app: { uses: ['people.get'] } });
 * (await osapi.people.getViewer()).id === host.viewer; // true
 * host.calls.map(({ operation }) => operation); // ['people.get']
 * await host.close();
 * @throws Error in one line for an app, a world or a scenario that cannot be used, and while
 * another host is open.
 */
export async function openHost(options: HostOptions = {}): Promise<Host> {
  const { app, forget } = await findApp(options.app ?? '.');
  const putBack = restoreOwnBytes();
  let prepared: PreparedWorld | undefined;
  async function release(): Promise<void> {
    putBack();
    if (prepared !== options.world) await prepared?.close();
    await forget();
  }
  try {
    prepared = await worldOf(options, app.id);
    return await openSite(app, prepared, options, release);
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns the world of a host: prepared already, or prepared now. */
export async function worldOf({ world, scenario }: HostOptions, app: string): Promise<PreparedWorld> {
  const source = world ?? scenario?.world ?? 'friendly';
  if (typeof source === 'object') return 'content' in source ? source : prepareWorld(source);
  return prepareWorld(await findWorld(source, { apps: [app] }));
}

async function openSite(
  app: LabApp,
  world: PreparedWorld,
  { scenario = {}, state, random }: HostOptions,
  release: () => Promise<void>,
): Promise<Host> {
  let site = await openLab();
  let detach = (): void => {};

  async function openLab() {
    const lab = await createLab({
      name: randomBytes(6).toString('hex'),
      url,
      apps: [app],
      world,
      scenario,
      random,
      documents: { open: async () => fileOf('text/html', '') }, // pages must exist, though no frame loads them
    });
    const clock = createLabClock();
    void clock.set(lab.clock.state);
    const members: MemberHost[] = [];
    lab.clock.subscribe(() => void clock.set(lab.clock.state));
    async function open(viewer: string, memberScenario: Scenario, first?: unknown): Promise<MemberHost> {
      const member = await openMember({
        fetch: labFetch(lab, { url, viewer }),
        url,
        app: app.id,
        scenario: memberScenario,
        clock,
        state: first,
        observe({ place, ...observed }) {
          lab.record.add({ ...observed, lab: lab.name, place: `${viewer}/${place}`, atMs: lab.clock.now() });
        },
      });
      const one = memberHost({ lab, member, viewer, app: app.id, scenario: memberScenario });
      members.push(one);
      return one;
    }
    const viewer = scenario.persona ?? lab.personas[0]?.id ?? nobody;
    try {
      const first = await open(viewer, scenario, state);
      return {
        lab,
        first,
        open,
        async close() {
          for (const member of members) await member.close();
          await lab.close();
        },
      };
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  const sdk: Sdk = {
    osapi: delegate(() => site.first.osapi),
    gadgets: delegate(() => site.first.gadgets),
    gantry: delegate(() => site.first.gantry),
  };
  try {
    detach = processSdk().attach(sdk);
  } catch (error) {
    await site.close();
    throw error;
  }
  const none = {
    get: (): never => {
      throw isAbsent('page');
    },
    enumerable: false,
  };
  const host = Object.defineProperties(
    {
      ...sdk,
      app: app.id,
      get viewer() {
        return site.first.viewer;
      },
      get lab() {
        return site.lab;
      },
      get clock() {
        return site.lab.clock;
      },
      get faults() {
        return site.lab.faults;
      },
      tape: () => site.first.tape(),
      reload: () => site.first.reload(),
      open: (persona: string, change: Scenario = {}) => site.open(persona, { ...scenario, ...change, persona }),
      async reset() {
        await site.close();
        site = await openLab();
      },
      async close() {
        detach();
        await site.close();
        await release();
      },
    },
    { page: none, element: none, frame: none },
  ) as Omit<Host, keyof RecordView>;
  return withRecordView(host, () => site.first.record);
}

function memberHost(options: {
  readonly lab: Lab;
  readonly member: Member;
  readonly viewer: string;
  readonly app: string;
  readonly scenario: Scenario;
}): MemberHost {
  const { lab, member, viewer, app, scenario } = options;
  const record = (): readonly Entry[] => lab.record.entries.filter(({ place }) => place?.startsWith(`${viewer}/`));
  const tape = (): Tape => createTape({ host: 'mock', app, scenario }, record());
  return withRecordView({ ...member.sdk, viewer, tape, reload: member.reload, close: member.close }, record);
}
