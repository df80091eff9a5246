import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { viewerToken } from '../../../server/test/viewer-token.ts';
import type { Process } from '../real-site.ts';

/** Address of the site that tests serve, whichever process answers. */
export const url = 'http://social.example';

/** Sends a body as the page of member 1, on a connection of its own. */
export async function sendAsPage({ port }: Process, path: string, body: unknown): Promise<IncomingMessage> {
  const outgoing = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path, agent: false },
    headers: {
      ...{ Host: new URL(url).host, Origin: url, 'Content-Type': 'application/json', 'Gantry-Container': '1' },
      Authorization: `Bearer ${viewerToken('1', url)}`,
    },
  });
  outgoing.end(JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}
