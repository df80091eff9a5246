import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLab, type Lab, type LabApp, type Record } from '@gantry/lab';
import { addApp, toNodeListener } from '@gantry/server';
import { type LabAnswer, type LabRequest, labHeader } from './protocol.ts';
import { type Route, readJson, sendJson, sendRefusal } from './route.ts';
import type { DevDocuments } from './sources/dev-documents.ts';
import type { Stories } from './stories/stories.ts';

/** The labs of a dev host: a world for each state that is looked at. */
export interface Labs {
  /** Makes one. */
  make(request: LabRequest): Promise<LabAnswer>;
  /** `POST /dev/labs`, and what concerns one lab. */
  readonly route: Route;
  /** Registers an app anew in every lab: its manifest is another. */
  update(app: LabApp): Promise<void>;
  /** Hands a request of a container, a frame or a picture to its lab. */
  pass(incoming: IncomingMessage, outgoing: ServerResponse): void;
  close(): Promise<void>;
}

export function createLabs(options: {
  readonly url: string;
  readonly apps: () => readonly LabApp[];
  readonly record: Record;
  readonly stories?: Pick<Stories, 'find'>;
  readonly documents?: DevDocuments;
  readonly keep?: string | undefined;
}): Labs {
  const { url, apps, record, documents, stories } = options;
  const labs = new Map<string, { readonly lab: Lab; readonly listener: ReturnType<typeof toNodeListener> }>();

  async function make({ story, scenario: asked }: LabRequest): Promise<LabAnswer> {
    const name = randomBytes(6).toString('hex');
    const found = story === undefined ? undefined : await stories?.find(story);
    const scenario = { ...found?.scenario, ...asked };
    const world = asked.world === undefined && found?.world ? await found.world() : firstWorld;
    const lab = await createLab({
      ...{ name, url, apps: apps(), world: () => world, scenario, record },
      ...(documents && { documents: documents.forLab(name) }),
    });
    labs.set(name, { lab, listener: toNodeListener(lab.gantry) });
    return {
      lab: name,
      apps: apps().map(({ id }) => ({ id, name: id, views: ['home'], permissions: [] })),
      personas: (world as typeof firstWorld).members.map(({ id, displayName }) => ({ id, name: displayName })),
      worlds: ['pleasant'],
    };
  }

  return {
    make,
    async route({ incoming, outgoing, method, path }) {
      if (method === 'DELETE' && path.startsWith('/dev/labs/')) {
        const name = path.slice('/dev/labs/'.length);
        const open = labs.get(name);
        labs.delete(name);
        await open?.lab.close();
        return sendJson(outgoing, {});
      }
      if (path !== '/dev/labs' || method !== 'POST') return false;
      try {
        return sendJson(outgoing, await make(await readJson<LabRequest>(incoming)));
      } catch (error) {
        return sendRefusal(outgoing, error);
      }
    },
    async update(app) {
      for (const { lab } of labs.values()) await addApp(lab.gantry.stores, { ...app, mode: 'update', trusted: true });
    },
    pass(incoming, outgoing) {
      const named = labs.get(String(incoming.headers[labHeader.toLowerCase()]));
      const open = named ?? labs.values().next().value;
      if (open) open.listener(incoming, outgoing);
      else outgoing.writeHead(404).end();
    },
    async close() {
      for (const { lab } of labs.values()) await lab.close();
    },
  };
}

const firstWorld = {
  site: { name: 'Pleasant' },
  members: ['Ada Lovell', 'Bo Sand', 'Cy Marsh'].map((displayName, index) => ({ id: `m-${index + 1}`, displayName })),
  friendships: [
    ['m-1', 'm-2'],
    ['m-1', 'm-3'],
  ],
};
