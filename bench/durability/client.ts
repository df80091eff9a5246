import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { signRequest } from '@gantry/oauth';
import { consumer } from '../writers-site.ts';

export interface Call {
  readonly method: string;
  /** Below `/social/rest`. */
  readonly path: string;
  readonly memberId: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A signed request as sent: all that is needed to send it again. */
export interface SentRequest {
  readonly url: string;
  readonly options: RequestOptions;
  readonly body: string | undefined;
}

export interface Reply {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: string | undefined;
  readonly text: string;
}

export interface Answered {
  readonly request: SentRequest;
  readonly reply: Reply;
}

export interface Client {
  sign(call: Call): SentRequest;
  /** Sends a request. @throws Error without a whole response: the outcome is then unknown. */
  send(request: SentRequest): Promise<Reply>;
  /**
   * Signs and sends, and signs again while the timestamp is refused: a database server that has
   * just started may have forgotten nonces, so it refuses earlier signatures for good.
   *
   * @throws Error as `send` does.
   */
  ask(call: Call): Promise<Answered>;
  close(): void;
}

/**
 * Creates a client with connections of its own to one server. Its signatures are for `signedSite`,
 * the address that a balancer in between passes on.
 */
export function createClient(site: string, signedSite = site): Client {
  const agent = new Agent({ keepAlive: true });
  const client: Client = {
    sign({ method, path, memberId, query = {}, body }) {
      const parameters = new URLSearchParams({ ...query, xoauth_requestor_id: memberId });
      const target = `/social/rest${path}?${parameters}`;
      const timestamp = Math.floor(Date.now() / 1_000);
      const signed = { method, url: signedSite + target };
      const { authorization } = signRequest({ ...signed, consumer, timestamp, nonce: crypto.randomUUID() });
      const headers = { Authorization: authorization, ...(body && { 'Content-Type': 'application/json' }) };
      return { url: site + target, options: { method, headers }, body: body && JSON.stringify(body) };
    },
    send: ({ url, options, body }) =>
      new Promise((resolve, reject) => {
        request(url, { ...options, agent }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              retryAfter: response.headers['retry-after'],
              text: Buffer.concat(chunks).toString(),
            }),
          );
        })
          .on('error', reject)
          .end(body);
      }),
    async ask(call) {
      for (let tries = 1; ; tries++) {
        const request = client.sign(call);
        const reply = await client.send(request);
        const isTooOld = reply.status === 401 && reply.text.includes('oauth_timestamp');
        if (!isTooOld || tries === mostTries) return { request, reply };
        await pause(retryMs);
      }
    },
    close: () => agent.destroy(),
  };
  return client;
}

const mostTries = 30;
const retryMs = 100;
