import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import { createGantry, type Gantry } from '@gantry/server';
import type { CallReply, Instance, InstanceAnswer } from '@gantry/wire';
import pino from 'pino';
import { createSchema } from '../../../store/test/postgres.ts';
import { runCommand } from '../run-command.ts';

const url = 'http://harbour.example';

/** A site in this process, with the commands of its operator. */
export interface AppSite {
  readonly folder: string;
  readonly gantry: Gantry;
  /** One command line of `gantry` on its data. */
  command(...args: string[]): Promise<{ code: number; out: string; err: string }>;
  /** The same with a public address in GANTRY_URL. */
  at(url: string, ...args: string[]): ReturnType<AppSite['command']>;
  /** Writes the folder of an app. @returns Its path. */
  app(folder: string, manifest?: object): Promise<string>;
  import(world: object): Promise<void>;
  instance(app: string, viewer?: string): Promise<InstanceAnswer>;
  mount(app: string, viewer?: string): Promise<Instance>;
  /** Sends the decision of a member who allows all that a gadget needs. @returns The status. */
  allow(gadget: Instance, viewer?: string): Promise<number>;
  call(gadget: Instance, operation: string, params?: object, viewer?: string): Promise<CallReply>;
  /** A request that an OAuth client signs. */
  ask(path: string, options: { key: string; as?: string; body?: unknown }): Promise<{ status: number; json: unknown }>;
  close(): Promise<void>;
}

const uses = ['people.get', 'appdata.get', 'appdata.update', 'activities.get', 'activities.create'];

export const kinds = [
  { name: 'SQLite', database: async () => undefined },
  { name: 'PostgreSQL', database: createSchema },
] as const;

/** Opens a site of three members; secrets of consumers that are imported are `<key>-secret`. */
export async function openAppSite(kind: (typeof kinds)[number]): Promise<AppSite> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-apps-'));
  const data = join(folder, 'data');
  const schema = await kind.database();
  const database = schema?.url ?? join(data, 'gantry.db');
  const env = { GANTRY_DATA: data, GANTRY_DATABASE: database };
  const gantry = await createGantry({
    ...{ data, database, url, log: pino({ level: 'silent' }) },
    viewer: async (request) => request.headers.get('x-viewer') ?? undefined,
  });

  async function post(path: string, body: unknown, viewer: string): Promise<Response> {
    const headers = { origin: url, 'content-type': 'application/json', 'gantry-container': '1', 'x-viewer': viewer };
    return gantry.fetch(new Request(url + path, { method: 'POST', headers, body: JSON.stringify(body) }), path);
  }
  const command = (...args: string[]) => runCommand(args, env);

  const site: AppSite = {
    folder,
    gantry,
    command,
    at: (address, ...args) => runCommand(args, { ...env, GANTRY_URL: address }),
    async app(name, manifest = {}) {
      const path = join(folder, name);
      await mkdir(path, { recursive: true });
      const page = '<!doctype html><script src="/gantry/osapi.js"></script>';
      await writeFile(join(path, 'index.html'), page);
      const whole = { name, page: 'index.html', uses, ...manifest };
      await writeFile(join(path, 'gadget.json'), JSON.stringify(whole));
      return path;
    },
    async import(world) {
      const file = join(folder, 'world.json');
      await writeFile(file, JSON.stringify(world));
      const { code, err } = await command('import', file);
      if (code !== 0) throw new Error(err);
    },
    async instance(app, viewer = '1') {
      const [answer] = (await (await post('/gantry/instances', [{ app }], viewer)).json()) as [InstanceAnswer];
      return answer;
    },
    async mount(app, viewer) {
      const answer = await site.instance(app, viewer);
      if ('error' in answer) throw new Error(JSON.stringify(answer));
      return answer.ok;
    },
    async allow({ token, consent }, viewer = '1') {
      return (await post('/gantry/grants', { token, grant: consent.needed }, viewer)).status;
    },
    async call({ instance, token }, operation, params = {}, viewer = '1') {
      const body = { tokens: { [instance]: token }, calls: [{ id: 'c', instance, operation, params }] };
      return (await (await post('/gantry/calls', body, viewer)).json()) as CallReply;
    },
    async ask(path, { key, as = '1', body }) {
      const method = body === undefined ? 'GET' : 'POST';
      const target = `/social/rest${path}`;
      const { authorization } = signRequest({
        ...{ method, url: url + target, consumer: { key, secret: `${key}-secret` } },
        parameters: [['xoauth_requestor_id', as]],
        timestamp: Math.ceil(Date.now() / 1000),
        nonce: crypto.randomUUID(),
      });
      const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const answer = await gantry.fetch(new Request(url + target, init), target);
      return { status: answer.status, json: await answer.json() };
    },
    async close() {
      await gantry.close();
      await schema?.remove();
      await rm(folder, { recursive: true });
    },
  };
  const members = ['Ada', 'Bo', 'Cy'].map((displayName, index) => ({ id: String(index + 1), displayName }));
  const admin = { key: 'admin', secret: 'admin-secret', kind: 'admin', anyMember: true };
  await site.import({ members, friendships: [['1', '2']], consumers: [admin] });
  return site;
}
