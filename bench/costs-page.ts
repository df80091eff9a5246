import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from '@gantry/wire';
import { open, send } from './costs-client.ts';
import { viewer } from './costs-world.ts';
import type { Prepared } from './http.ts';

/** A page of the site in a browser with a signed-in member. */
export interface Page {
  /** Sends one of the page's own requests. */
  post(path: string, body: string): Prepared;
  /** Mounts gadgets of the app `bench` on pages of these owners. */
  mount(owners: readonly string[]): Promise<Instance[]>;
}

/** Prepares requests as pages send them; without `cookie` they are anonymous. */
export function pageRequest(site: string, path: string, body: string, cookie?: string): Prepared {
  const headers = { Origin: site, 'Content-Type': 'application/json', 'Gantry-Container': '1' };
  return { url: site + path, method: 'POST', headers: { ...headers, ...(cookie && { Cookie: cookie }) }, body };
}

export async function openPage(site: string): Promise<Page> {
  const { headers, status } = await send((await signInForm(site))(viewer));
  const cookie = headers['set-cookie']?.map((each) => each.split(';')[0]).join('; ');
  if (status !== 303 || cookie === undefined) throw new Error(`The viewer could not sign in: ${status}.`);
  const post = (path: string, body: string) => pageRequest(site, path, body, cookie);
  return {
    post,
    async mount(owners) {
      const instances: Instance[] = [];
      for (let from = 0; from < owners.length; from += 100) {
        const requests = owners.slice(from, from + 100).map((owner) => ({ app: 'bench', owner }));
        const { text } = await send(post('/gantry/instances', JSON.stringify(requests)));
        instances.push(...(JSON.parse(text) as { ok: Instance }[]).map(({ ok }) => ok));
      }
      return instances;
    },
  };
}

/** Resolves with a function that submits the sign-in form from any address. */
export async function signInForm(
  site: string,
): Promise<(fields: { readonly id: string; readonly password: string }, address?: string) => Prepared> {
  const { headers, text } = await send({ url: `${site}/account/sign-in`, method: 'GET', headers: {} });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  await pause(600); // a form submitted sooner may be refused
  return ({ id, password }, address) => ({
    url: `${site}/account/sign-in`,
    method: 'POST',
    headers: {
      Origin: site,
      Cookie: cookie,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(address && { 'X-Forwarded-For': address }),
    },
    body: new URLSearchParams({ form_token: token, member: id, password }).toString(),
  });
}

/** Open event streams. */
export interface Listening {
  /** Resolves when each of them has received this text. */
  until(part: string): Promise<void>;
  end(): void;
}

/** Opens a stream of events for each of these bodies. */
export async function openStreams(page: Page, bodies: readonly string[]): Promise<Listening> {
  const streams = await Promise.all(bodies.map((body) => open(page.post('/gantry/events', body))));
  const received = streams.map((stream) => {
    if (stream.statusCode !== 200) throw new Error(`A stream of events was answered ${stream.statusCode}.`);
    const one = { text: '' };
    stream.setEncoding('utf8').on('error', () => {});
    stream.on('data', (chunk) => {
      one.text += chunk;
    });
    return { stream, one };
  });
  return {
    async until(part) {
      for (const { stream, one } of received) while (!one.text.includes(part)) await once(stream, 'data');
    },
    end() {
      for (const { stream } of received) stream.destroy();
    },
  };
}
