import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseOAuth, parseTarget, verifySignature } from '@gantry/oauth';
import { consumerOf } from './site.ts';

export interface Received {
  readonly method: string;
  readonly target: string;
  readonly consumerKey: string;
  readonly requestor: string | undefined;
  readonly nonce: string;
  readonly authorization: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface ForeignSite {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/**
 * An existing site of this API, in another language, with the habits that such sites have: it
 * verifies signatures, says errors in plain text, answers writes with nothing, empty maps with
 * `[]`, and the interval with a bare 500.
 *
 * @param options.photo Address of the photo that members have.
 */
export async function openForeignSite({ photo }: { readonly photo?: string } = {}): Promise<ForeignSite> {
  const received: Received[] = [];
  const stored = new Map<string, string>();
  let posts = 0;

  function answer(
    path: string,
    { method, body, requestor, authorization, consumerKey }: Received,
  ): [number, string, object?] {
    if (path.startsWith('/appData/')) {
      if (method === 'DELETE') stored.clear();
      if (method === 'POST')
        for (const [key, value] of Object.entries(JSON.parse(body))) stored.set(key, String(value));
      if (method !== 'GET') return [200, ''];
      return [
        200,
        JSON.stringify({ entry: stored.size === 0 ? [] : { [String(requestor)]: Object.fromEntries(stored) } }),
      ];
    }
    if (path.startsWith('/activities/') && method === 'POST')
      return posts++ === 0 ? [200, ''] : [500, 'Internal Server Error'];
    switch (path) {
      case '/people/7/%40self':
        return [
          200,
          JSON.stringify({
            entry: { id: '7', isOwner: true, isViewer: true, displayName: 'Ann', thumbnailUrl: photo },
          }),
        ];
      case '/people/7/%40friends':
        return [200, '{"entry":[{"id":"8","isOwner":false}],"startIndex":0,"totalResults":1,"itemsPerPage":null}'];
      case '/people/huge/%40self':
        return [200, JSON.stringify({ entry: { id: 'x'.repeat(4_500_000) } })];
      case '/people/away/%40self':
        return [302, '', { Location: 'http://127.0.0.1:1/login' }];
      case '/people/rude/%40self':
        return [403, '<img src=x onerror="document.title=1">Not for <b>you</b>', { 'Content-Type': 'text/plain' }];
      case '/people/leak/%40self': {
        const { secret } = consumerOf('friends');
        return [400, `Bad request by ${consumerKey} with ${secret}: ${authorization}`];
      }
      default:
        return [
          404,
          '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>No such   member</h1></body></html>',
        ];
    }
  }

  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (!request.url?.startsWith('/base/rest/')) {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not Found</h1>');
      return;
    }
    const target = parseTarget(request.url);
    const authorization = request.headersDistinct.authorization ?? [];
    if (authorization.length === 0) {
      response.writeHead(401).end('Missing OAuth parameters');
      return;
    }
    const oauth = parseOAuth({
      method: request.method ?? '',
      origin: `http://${request.headers.host}`,
      target,
      authorization,
    });
    const app = ['friends', 'notes'].find((id) => consumerOf(id).key === oauth.consumerKey);
    const key = app === undefined ? undefined : { method: 'HMAC-SHA1' as const, secret: consumerOf(app).secret };
    if (!verifySignature(oauth, key)) {
      response.writeHead(401).end(`Invalid signature for ${oauth.consumerKey}. Base string: ${oauth.baseString}`);
      return;
    }
    const seen = receivedFrom(request, oauth, body);
    received.push(seen);
    const [status, text, headers = {}] = answer(target.path.replace('/base/rest', ''), seen);
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/base/rest`,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function receivedFrom(request: IncomingMessage, oauth: ReturnType<typeof parseOAuth>, body: string): Received {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    consumerKey: oauth.consumerKey,
    requestor: oauth.requestorId,
    nonce: oauth.nonce,
    authorization: request.headers.authorization ?? '',
    contentType: request.headers['content-type'],
    body,
  };
}
