import type { PageRequest } from '@gantry/proxy';
import type { Arrived } from './request-listener.ts';

/** What Node received, as the proxy takes the calls of pages. */
export function pageRequest({ method, rawTarget, host, header, head, body = new Uint8Array() }: Arrived): PageRequest {
  return { method, path: rawTarget, host, header, head, body: async () => body };
}
