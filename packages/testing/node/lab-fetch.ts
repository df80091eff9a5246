import type { Fetch } from '@gantry/container';
import { type Lab, nobody, personaHeader } from '@gantry/lab';

/** Makes the `fetch` of a member's page: requests to the lab, as a browser sends them. */
export function labFetch(
  lab: Pick<Lab, 'fetch'>,
  { url, viewer }: { readonly url: string; readonly viewer: string },
): Fetch {
  const site = { Origin: url, Host: new URL(url).host, 'Sec-Fetch-Site': 'same-origin' };
  return async (address, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted();
    const request = new Request(address, {
      method,
      headers: {
        ...(headers as Record<string, string>),
        ...site,
        ...(viewer !== nobody && { [personaHeader]: viewer }),
      },
      ...(body !== undefined && body !== null && { body: body as string }),
    });
    const response = await unlessAborted(lab.fetch(request), signal);
    if (!signal || !response.body) return response;
    return new Response(untilAborted(response.body, signal), response);
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

/** Ends a stream with its signal. `pipeThrough` rejects the signals of simulated documents. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
