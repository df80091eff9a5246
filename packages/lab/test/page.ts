import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallReply, Instance, InstanceAnswer } from '@gantry/wire';
import { type Lab, type LabApp, personaHeader } from '../src/index.ts';

export const url = 'http://127.0.0.1:4500';

export const notes = {
  name: 'Notes',
  page: 'index.html',
  uses: ['people.get', 'activities.create', 'activities.get', 'appdata.get', 'appdata.update', 'albums.get'],
  fields: ['birthday', 'age'],
};

/** Makes a folder with an app that is known nowhere else. */
export async function makeApp(id = 'zettel', manifest: object = notes): Promise<LabApp> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-lab-app-'));
  await writeFile(join(folder, 'gadget.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Notes</title>');
  return { id, folder };
}

/** A site of three members, of whom two are friends. */
export const small = () => ({
  site: { name: 'Small', timeZone: 'Pacific/Auckland' },
  members: [
    { id: 'eva', displayName: 'Eva Kiel', birthday: '1990/05/17' },
    { id: 'finn', displayName: 'Finn Moor', birthday: '1984/02/29' },
    { id: 'gil', displayName: 'Gil Stray' },
  ],
  friendships: [['eva', 'finn']],
});

/** What a page of the lab's origin does for one persona, without a browser. */
export function openPage(lab: Pick<Lab, 'fetch'>, persona: string | undefined, app = 'zettel') {
  async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const own = { 'content-type': 'application/json', 'gantry-container': '1', origin: url };
    const who = persona === undefined ? {} : { [personaHeader]: persona };
    return lab.fetch(
      new Request(url + path, { method: 'POST', headers: { ...own, ...who, ...headers }, body: JSON.stringify(body) }),
    );
  }
  async function mount(): Promise<Instance> {
    const [answer] = (await (await post('/gantry/instances', [{ app }])).json()) as InstanceAnswer[];
    if (!answer || 'error' in answer) throw new Error(`no instance: ${JSON.stringify(answer)}`);
    return answer.ok;
  }
  let mounted: Promise<Instance> | undefined;
  return {
    post,
    mount,
    /** Calls with the instance of the first call. */
    async call(operation: string, params: object = {}, write?: string): Promise<CallReply> {
      mounted ??= mount();
      const { instance, token } = await mounted;
      const calls = [{ id: 'c', instance, operation, params, ...(write && { write }) }];
      const response = await post('/gantry/calls', { tokens: { [instance]: token }, calls });
      return JSON.parse(await response.text()) as CallReply;
    },
  };
}
