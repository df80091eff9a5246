import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import type { Instance } from '@gantry/wire';
import { ask } from '../../../server/test/stop-load.ts';
import { viewerKey, viewerToken } from '../../../server/test/viewer-token.ts';
import { gantry } from '../real-site.ts';
import { url } from './member-page.ts';

/** The site that is asked, whichever process answers. */
export const site = {
  url,
  viewerKey,
  consumer: { key: 'member-2', secret: 'secret' },
  app: 'board',
};

const world = {
  members: ['1', '2'].map((id) => ({ id, displayName: `Member ${id}` })),
  friendships: [['1', '2']],
  consumers: [{ ...site.consumer, kind: 'member', memberId: '2' }],
};

const clients = 6; // so many that a start beside them gets its share of a busy machine

/**
 * Fills the data folder that `GANTRY_DATA` names, and returns the environment of a server over it.
 */
export async function prepareSite(settings: { readonly GANTRY_DATA: string }): Promise<NodeJS.ProcessEnv> {
  const data = settings.GANTRY_DATA;
  const env = {
    GANTRY_VIEWER_KEY: site.viewerKey,
    GANTRY_SIGN_IN_URL: `${site.url}/sign-in`,
    GANTRY_LOG: 'error',
    GANTRY_CALLS_PER_MINUTE: '0', // the page asks more than a member would
    ...settings,
  };
  const app = join(data, site.app);
  mkdirSync(app);
  writeFileSync(join(app, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html', uses: ['people.get'] }));
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Board</title>');
  writeFileSync(join(data, 'world.json'), JSON.stringify(world));
  await gantry(['import', join(data, 'world.json')], env);
  await gantry(['app', 'add', app, '--id', site.app, '--trusted'], env);
  return env;
}

/** Signed reads and calls of a page while `work` runs, which begins in the middle of them. */
export async function loadWhile(
  { port, connections }: { readonly port: number; readonly connections: 'new' | 'kept' },
  work: () => Promise<unknown>,
): Promise<RestartLoad> {
  const requests = [signedRead, await pageCalls(port)];
  const begun = Promise.withResolvers<void>();
  const until = begun.promise.then(work);
  const onAnswer = (answered: number): void => {
    if (answered >= 100) begun.resolve();
  };
  const load = await loadThroughout({ port, connections, requests, until, onAnswer });
  await until;
  return load;
}

/** One request as it goes over a socket. */
type NextRequest = () => string;

export interface RestartLoad {
  readonly answered: number;
  /**
   * Requests without a whole answer of status 200, a refused connection among them: what a client
   * would see as an outage.
   */
  readonly lost: readonly string[];
  readonly slowestMs: number;
}

interface RestartLoadOptions {
  readonly port: number;
  /**
   * `new`: each request has a connection of its own. `kept`: one is used again until its server
   * says that it was the last.
   */
  readonly connections: 'new' | 'kept';
  /** Asked in turn. */
  readonly requests: readonly NextRequest[];
  /** Ends the load after the requests that are under way. */
  readonly until: Promise<unknown>;
  readonly onAnswer?: (answered: number) => void;
}

/** Sends requests without a pause, from many clients, until stopped. */
async function loadThroughout(options: RestartLoadOptions): Promise<RestartLoad> {
  const { port, connections, requests, until, onAnswer = () => {} } = options;
  const lost: string[] = [];
  let [answered, sent, slowestMs, isOver] = [0, 0, 0, false];
  void until.finally(() => {
    isOver = true;
  });

  async function askOne(socket: Socket): Promise<boolean> {
    const next = requests[sent++ % requests.length] as NextRequest;
    const startedAtMs = performance.now();
    const { isLast, text } = await ask(socket, next());
    slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
    if (text.startsWith('HTTP/1.1 200 ')) onAnswer(++answered);
    else lost.push(text.slice(0, text.indexOf('\r\n')));
    return isLast;
  }

  async function client(): Promise<void> {
    while (!isOver) {
      const startedAtMs = performance.now();
      const socket = connect(port, '127.0.0.1').on('error', () => {}); // handled elsewhere
      try {
        await once(socket, 'connect');
        slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
        for (let isLast = false; !isLast && !isOver; ) isLast = (await askOne(socket)) || connections === 'new';
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        lost.push(code ?? message);
      }
      socket.destroy();
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return { answered, lost, slowestMs };
}

/** A read that is signed anew each time, as an API client sends it. */
function signedRead(): string {
  const target = '/social/rest/people/@me/@friends';
  const { authorization } = signRequest({
    method: 'GET',
    url: site.url + target,
    consumer: site.consumer,
    parameters: [['xoauth_requestor_id', '2']],
    timestamp: Math.floor(Date.now() / 1000),
    nonce: randomUUID(),
  });
  return `GET ${target} HTTP/1.1\r\nHost: social.example\r\nAuthorization: ${authorization}\r\n\r\n`;
}

/** Shows a gadget on a page of member 1, and returns the calls that the page then makes. */
async function pageCalls(port: number): Promise<NextRequest> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const { text } = await ask(socket, pagePost('/gantry/instances', [{ app: site.app }]));
  socket.destroy();
  const [{ ok: gadget }] = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as [{ readonly ok: Instance }];
  const call = { instance: gadget.instance, operation: 'people.get', params: { userId: '@viewer' } };
  return () =>
    pagePost('/gantry/calls', { tokens: { [gadget.instance]: gadget.token }, calls: [{ id: randomUUID(), ...call }] });
}

function pagePost(path: string, body: unknown): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: social.example',
    `Origin: ${site.url}`,
    `Authorization: Bearer ${viewerToken('1', url)}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
    'Gantry-Container: 1',
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
