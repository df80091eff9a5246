import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A request that is ready to be sent. */
export interface Prepared {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a request and resolves with the whole response.
 *
 * @throws Error for another status than `expected`, and for an error of a call within a 200.
 */
export function send(
  agent: Agent,
  { url, method, headers, body }: Prepared,
  expected = 200,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { agent, method, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      const isExpected = response.statusCode === expected && !text.includes('"error"');
      if (isExpected) resolve({ headers: response.headers, text });
      else reject(new Error(`${method} ${url} answered ${response.statusCode} ${text.slice(0, 200)}`));
    })
      .on('error', reject)
      .end(body);
  });
}
