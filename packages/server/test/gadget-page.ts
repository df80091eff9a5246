import type { CallReply, GrantsAnswer, Instance, InstanceAnswer } from '@gantry/wire';
import type { Gantry } from '../src/index.ts';

/** A member's page of the site, without a browser. */
export interface GadgetPage {
  mount(app: string): Promise<Instance>;
  /** Answers the card, or changes it later. */
  decide(app: string, decision: object): Promise<GrantsAnswer>;
  call(app: string, operation: string, params?: Readonly<Record<string, unknown>>): Promise<CallReply>;
}

/** @param member The signed-in member; the site's `viewer` reads it from the header `member`. */
export function openPage(
  { fetch }: Pick<Gantry, 'fetch'>,
  { url, member, headers = {} }: { readonly url: string; readonly member: string; readonly headers?: object },
): GadgetPage {
  async function post(path: string, body: unknown): Promise<Response> {
    const defaults = { 'content-type': 'application/json', 'gantry-container': '1', origin: url, member };
    const request = new Request(url + path, {
      method: 'POST',
      headers: { ...defaults, ...headers },
      body: JSON.stringify(body),
    });
    const response = await fetch(request, path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  const page: GadgetPage = {
    async mount(app) {
      const [answer] = (await (await post('/gantry/instances', [{ app }])).json()) as InstanceAnswer[];
      if (!answer || 'error' in answer) throw new Error(`no instance: ${JSON.stringify(answer)}`);
      return answer.ok;
    },
    async decide(app, decision) {
      const { token } = await page.mount(app);
      return (await (await post('/gantry/grants', { token, ...decision })).json()) as GrantsAnswer;
    },
    async call(app, operation, params = {}) {
      const { instance, token } = await page.mount(app);
      const calls = [{ id: 'c', instance, operation, params }];
      return JSON.parse(await (await post('/gantry/calls', { tokens: { [instance]: token }, calls })).text());
    },
  };
  return page;
}
