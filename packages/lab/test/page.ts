import { join } from 'node:path';
import type { CallReply, Instance, InstanceAnswer } from '@gantry/wire';
import { type Lab, personaHeader } from '../src/index.ts';

export const url = 'http://127.0.0.1:4500';

/** An app that is known nowhere else. */
export const app = { id: 'zettel', folder: join(import.meta.dirname, 'zettel') };

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

/** A page of the lab's origin for one persona, without a browser. */
export function openPage(lab: Pick<Lab, 'fetch'>, persona: string | undefined) {
  async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const own = { 'content-type': 'application/json', 'gantry-container': '1', origin: url };
    const who = persona === undefined ? {} : { [personaHeader]: persona };
    return lab.fetch(
      new Request(url + path, { method: 'POST', headers: { ...own, ...who, ...headers }, body: JSON.stringify(body) }),
    );
  }
  async function mount(): Promise<Instance> {
    const [answer] = (await (await post('/gantry/instances', [{ app: app.id }])).json()) as InstanceAnswer[];
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
