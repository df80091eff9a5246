import type { Fetch } from '@gantry/container';
import { type Lab, nobody, personaHeader } from '@gantry/lab';

/** Makes the `fetch` of one member's page: requests go to the lab as a browser sends them, without a network. */
export function labFetch(
  lab: Pick<Lab, 'fetch'>,
  { url, viewer }: { readonly url: string; readonly viewer: string },
): Fetch {
  const own = { Origin: url, Host: new URL(url).host, 'Sec-Fetch-Site': 'same-origin' };
  return async (address, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted();
    const request = new Request(address, {
      method,
      headers: {
        ...(headers as Record<string, string>),
        ...own,
        ...(viewer !== nobody && { [personaHeader]: viewer }),
      },
      ...(body !== undefined && body !== null && { body: body as string }),
    });
    const response = await unlessAborted(lab.fetch(request), signal);
    if (!signal || !response.body) return response;
    return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response); // a stream ends with its reader
  };
}

function unlessAborted<T>(result: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return result;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
