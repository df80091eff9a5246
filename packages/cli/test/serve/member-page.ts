import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Process } from '../real-site.ts';

/** Address of the site that tests serve, whichever process answers, and the key of its pages. */
export const url = 'http://social.example';
export const viewerKey = 'a key that site and Gantry share, 32+';

/** Makes the token by which a page names its member, as software in any language does. */
export function viewerToken(member: string, site = url): string {
  const claims = { sub: member, aud: site, exp: Math.floor(Date.now() / 1000) + 200 };
  const unsigned = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${unsigned}.${createHmac('sha256', viewerKey).update(unsigned).digest('base64url')}`;
}

/** Sends a body as the page of member 1, on a connection of its own. */
export async function sendAsPage({ port }: Process, path: string, body: unknown): Promise<IncomingMessage> {
  const outgoing = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path, agent: false },
    headers: {
      ...{ Host: new URL(url).host, Origin: url, 'Content-Type': 'application/json', 'Gantry-Container': '1' },
      Authorization: `Bearer ${viewerToken('1')}`,
    },
  });
  outgoing.end(JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}
