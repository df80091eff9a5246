import { type Failure, failure } from '@gantry/bridge';
import type { CallReply, CallsRequest, InstanceAnswer, InstanceRequest, WireError } from '@gantry/wire';
import { linesOf } from './lines.ts';

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** The page's side of the proxy's addresses. Failures are data: `open` and `call` never reject. */
export type ProxyClient = ReturnType<typeof createProxyClient>;

/** @param options.base Absolute URL of `/gantry/`. */
export function createProxyClient(options: { readonly base: URL; readonly fetch: Fetch }) {
  const { base, fetch } = options;

  /** Posts to an address of the proxy. Rejects if the network or `signal` fails it. */
  async function post(path: string, body: unknown, signal: AbortSignal): Promise<Response | Failure> {
    const response = await fetch(new URL(path, base), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Gantry-Container': '1' },
      body: JSON.stringify(body),
      credentials: 'same-origin',
      redirect: 'error', // a redirected POST would carry gadget tokens to another address
      cache: 'no-store',
      signal,
    });
    return response.ok ? response : refusalOf(response);
  }

  return {
    post,
    /**
     * Resolves with one answer per request, in order: the failure of the POST for each, if it
     * fails.
     */
    async open(requests: readonly InstanceRequest[], signal: AbortSignal): Promise<readonly InstanceAnswer[]> {
      try {
        const response = await post('instances', requests, signal);
        if ('error' in response) return requests.map(() => response);
        const answers: unknown = await response.json();
        if (Array.isArray(answers) && answers.length === requests.length) return answers;
        return requests.map(() => brokenAnswer);
      } catch {
        return requests.map(() => lostConnection(signal));
      }
    },
    /** Passes on each reply as it arrives, and resolves with the error of calls that got none. */
    async call(request: CallsRequest, onReply: (reply: CallReply) => void, signal: AbortSignal): Promise<WireError> {
      try {
        const response = await post('calls', request, signal);
        if ('error' in response) return response.error;
        if (response.body === null) return brokenAnswer.error;
        for await (const line of linesOf(response.body)) onReply(JSON.parse(line));
        return brokenAnswer.error;
      } catch {
        return lostConnection(signal).error;
      }
    },
  };
}

const brokenAnswer = failure('UNAVAILABLE', 'The site did not answer completely.');

function lostConnection(signal: AbortSignal): Failure {
  if (signal.aborted) return failure('TIMED_OUT', 'The site took too long to answer.');
  return failure('UNAVAILABLE', 'The site cannot be reached. The device may be offline.');
}

/** Returns the proxy's own error, if there is one. */
async function refusalOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isFailure(body)) return body;
  return failure(response.status === 401 ? 'UNAUTHORIZED' : 'UNAVAILABLE', `The site answered ${response.status}.`);
}

function isFailure(body: unknown): body is Failure {
  return typeof (body as Failure | undefined)?.error?.message === 'string';
}
