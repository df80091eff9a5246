import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  createLab,
  type Lab,
  type LabApp,
  type PreparedWorld,
  type Record,
  type Scenario,
  worldNames,
} from '@gantry/lab';
import type { AgentSettings } from '@gantry/lab/agent-protocol';
import { createPreparedWorlds, type LabDocuments } from '@gantry/lab/host';
import { readManifest } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import { actOnLab } from './lab-actions.ts';
import { type AppFacts, type LabAnswer, type LabRequest, labHeader } from './protocol.ts';
import { type Route, readJson, sendJson, sendRefusal } from './route.ts';
import type { Stories } from './stories/stories.ts';

/** Labs of a dev host: a site for each state on display. */
export type Labs = ReturnType<typeof createLabs>;

/** A lab takes about 2 MB, and closed pages leave theirs behind. */
const mostLabs = 60;

/** @param options.keep Folder in which data stays after the run, a folder for each world. */
export function createLabs(options: {
  readonly url: string;
  readonly apps: () => readonly LabApp[];
  readonly record: Record;
  readonly documents?: LabDocuments | undefined;
  readonly stories?: Pick<Stories, 'find'> | undefined;
  readonly keep?: string | undefined;
}) {
  const { url, apps, record, documents, stories, keep } = options;
  const worlds = createPreparedWorlds();
  const labs = new Map<string, OpenLab>(); // least recently used first
  const ending = new Set<Promise<void>>();
  const making = new Set<Promise<unknown>>();
  const usual = new Map<string, Promise<Lab>>();
  const { port } = new URL(url);
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function end(name: string): boolean {
    const open = labs.get(name);
    if (!open) return false;
    labs.delete(name);
    const ended = open.lab.close().catch(() => undefined);
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
    return true;
  }

  function use(name: string): Lab | undefined {
    const open = labs.get(name);
    if (!open) return undefined;
    labs.delete(name);
    labs.set(name, open);
    return open.lab;
  }

  /** Returns the origin of a lab: that of its page, by either name of this machine. */
  function originOf({ headers: { host } }: IncomingMessage): string {
    return host === `localhost:${port}` ? `http://${host}` : url;
  }

  /** Makes one lab at a time if they share a folder: the first one fills it. */
  function inTurn(work: () => Promise<Lab>): Promise<Lab> {
    if (keep === undefined) return work();
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function makeLab({ story, scenario: asked }: LabRequest, origin: string) {
    if (story !== undefined && !stories) throw new SocialError('NOT_FOUND', `There is no story ${story}.`);
    const loaded = story === undefined ? undefined : await stories?.find(story);
    const scenario = { ...loaded?.scenario, ...asked };
    const source = (asked.world === undefined ? loaded?.world : undefined) ?? scenario.world ?? usualWorld;
    const { usable, broken } = await sortApps(apps());
    const name = randomBytes(6).toString('hex');
    const made = (world: PreparedWorld) =>
      createLab({
        name,
        url: origin,
        apps: usable,
        world,
        scenario,
        record,
        documents: documents?.forLab(name),
        ...(keep !== undefined && { keep: join(keep, world.name) }),
      });
    const lab = await inTurn(() => worlds.with(source, { apps: usable.map(({ id }) => id), make: made }));
    labs.set(name, { lab, origin, scenario });
    if (isClosed) {
      end(name);
      throw new SocialError('UNAVAILABLE', 'The dev host is stopping.');
    }
    for (const old of [...labs.keys()].slice(0, -mostLabs)) end(old);
    return { lab, broken };
  }

  /** Tracks labs in the making, so that a stop closes them. */
  function begin(request: LabRequest, origin: string) {
    const made = makeLab(request, origin);
    const settled = made.catch(() => undefined).finally(() => making.delete(settled));
    making.add(settled);
    return made;
  }

  /**
   * Makes a lab.
   *
   * @param origin Address of the page that asks, where it is another name of this machine.
   * @throws SocialError in one line for a story, a world or a scenario that cannot be used.
   */
  async function make(request: LabRequest, origin = url): Promise<LabAnswer> {
    const { lab, broken } = await begin(request, origin);
    const order = apps().map(({ id }) => id);
    const facts = [...(await lab.apps()), ...broken].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    return { lab: lab.name, apps: facts, personas: lab.personas, worlds: worldNames };
  }

  /** Finds the lab of a request without a name: files are equal in all labs, pictures are not. */
  async function labOf(target: string, origin: string): Promise<Lab | undefined> {
    const ofPage = /^\/gantry\/apps\/[^/]+\/[^/~]+~([0-9a-f]+)\//.exec(target)?.[1];
    if (ofPage !== undefined) return labs.get(ofPage)?.lab;
    const token = /^\/gantry\/media\/([\w-]+)$/.exec(target)?.[1];
    const latest = [...labs.values()].reverse();
    if (token !== undefined) for (const { lab } of latest) if (await lab.hasMedia(token)) return lab;
    return latest.find((open) => open.origin === origin)?.lab ?? usualLab(origin);
  }

  /** Makes a lab for a page that needs scripts before it has made one. */
  function usualLab(origin: string): Promise<Lab> {
    const lab = usual.get(origin) ?? begin({ scenario: {} }, origin).then(({ lab }) => lab);
    usual.set(origin, lab);
    void lab.finally(() => usual.delete(origin)).catch(() => undefined);
    return lab;
  }

  /** `POST /dev/labs`, and everything below `/dev/labs/` that concerns one lab. */
  const route: Route = async ({ incoming, outgoing, method, path }) => {
    const [, name, action] = /^\/dev\/labs(?:\/([0-9a-f]{1,64})(?:\/([a-z]+))?)?$/.exec(path) ?? [];
    if (path !== '/dev/labs' && name === undefined) return false;
    try {
      if (name === undefined) {
        if (method !== 'POST') throw new SocialError('METHOD_NOT_ALLOWED', 'Use POST.', { allow: ['POST'] });
        return sendJson(outgoing, await make(checkRequest(await readJson<unknown>(incoming)), originOf(incoming)));
      }
      if (action === undefined && method === 'DELETE') return sendJson(outgoing, { closed: end(name) });
      const lab = use(name);
      if (!lab) return closed(outgoing);
      if (method !== 'POST' || action === undefined) throw new SocialError('NOT_FOUND', 'A lab has no such address.');
      return sendJson(outgoing, await actOnLab(lab, action, await readJson<unknown>(incoming)));
    } catch (error) {
      return sendRefusal(outgoing, error);
    }
  };

  return {
    make,
    route,
    /** Passes a request of a container, frame or picture to its lab. */
    pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
      const name = incoming.headers[labHeader.toLowerCase()];
      if (typeof name === 'string') {
        const lab = use(name);
        if (lab) lab.listener(incoming, outgoing);
        else closed(outgoing);
        return;
      }
      labOf((incoming.url ?? '/').split('?', 1)[0] as string, originOf(incoming))
        .then((lab) => (lab ? lab.listener(incoming, outgoing) : closed(outgoing)))
        .catch((error: unknown) => sendRefusal(outgoing, error));
    },
    /**
     * Registers an app, or its changed `gadget.json`, in all labs. Members who granted everything
     * grant new permissions.
     *
     * @returns Permissions that it did not declare before: members will be asked for them.
     * @throws SocialError BAD_REQUEST in one line for a bad manifest. Labs keep the one before.
     */
    async update(app: LabApp): Promise<{ readonly asks: readonly string[] }> {
      const asks = new Set<string>();
      for (const { lab } of [...labs.values()]) for (const one of (await lab.register(app)).asks) asks.add(one);
      return { asks: [...asks] };
    },
    /** Returns the time at which an agent of a lab starts; `undefined` for a closed lab. */
    frameOf(name: string): Pick<AgentSettings, 'clock' | 'timeZone'> | undefined {
      const open = labs.get(name);
      if (!open) return undefined;
      const { timeZone } = open.scenario;
      return { clock: open.lab.clock.state, ...(timeZone !== undefined && { timeZone }) };
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(making);
      for (const name of [...labs.keys()]) end(name);
      await Promise.all(ending);
      await worlds.close();
    },
  };
}

interface OpenLab {
  readonly lab: Lab;
  readonly origin: string;
  readonly scenario: Scenario;
}

const usualWorld = worldNames[0] ?? 'friendly';

/** Answers that a lab is closed: its page makes another one. */
function closed(outgoing: ServerResponse): true {
  const message = 'This lab was closed, since 60 others were used after it. Load the page again.';
  return sendJson(outgoing, { error: { code: 410, message, data: { reason: 'LAB_CLOSED' } } }, 410);
}

/** Leaves out apps with an invalid `gadget.json`, so that the others work. */
async function sortApps(apps: readonly LabApp[]) {
  const usable: LabApp[] = [];
  const broken: AppFacts[] = [];
  for (const app of apps) {
    try {
      if ('folder' in app && !app.manifest) await readManifest(app.folder);
      usable.push(app);
    } catch (error) {
      if (!(error instanceof SocialError)) throw error;
      broken.push({ id: app.id, name: app.id, views: [], permissions: [], problem: error.message });
    }
  }
  return { usable, broken };
}

function checkRequest(body: unknown): LabRequest {
  const { scenario, story } = (body ?? {}) as Partial<LabRequest>;
  const isScenario = typeof scenario === 'object' && scenario !== null && !Array.isArray(scenario);
  if (!isScenario || (story !== undefined && typeof story !== 'string')) {
    throw new SocialError('BAD_REQUEST', 'A lab is made of { scenario, story? }.');
  }
  return { scenario, ...(story !== undefined && { story }) };
}
