import { request } from 'node:http';
import type { ListenPlace } from '../../setup/listen-place.ts';
import type { AskFile } from './check-isolation.ts';

/**
 * Makes a `fetch` of response heads that connects to this process's server for any URL, with the
 * URL's `Host`: the name need not resolve here (`*.localhost` does in browsers only), nor lead here
 * (a reverse proxy stands before).
 */
export function loopbackFetch({ host, port, path: socketPath }: Omit<ListenPlace, 'socket'>): AskFile {
  return (address, { signal, headers }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const { host: name, pathname, search } = new URL(address);
    const outgoing = request({
      ...(socketPath === undefined ? { host: everywhere[host] ?? host, port } : { socketPath }),
      ...{ path: pathname + search, signal },
      agent: false, // a stopping server would wait for a kept connection
      headers: { ...headers, host: name },
    });
    outgoing.once('error', reject).once('response', (answer) => {
      answer.once('error', () => {}).resume();
      const headers = Object.entries(answer.headersDistinct).flatMap(([key, values = []]) =>
        values.map((value): [string, string] => [key, value]),
      );
      resolve(new Response(null, { status: answer.statusCode ?? 500, headers }));
    });
    outgoing.end();
    return promise;
  };
}

// Addresses that listen on all interfaces, and those to connect to.
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
