import { tooManyPhotos } from '@gantry/service/account';
import type { Client } from '../http/client.ts';
import { networkOfClient } from '../http/network.ts';
import { createShares, type Holder } from './shares.ts';
import { steadyBody } from './steady-body.ts';

/**
 * Runs work on the body of an upload while it has a place, and stops reading when the work ends.
 *
 * @throws SocialError UNAVAILABLE if there is no place, REQUEST_TIMEOUT for a slow sender.
 */
export type ReceiveUpload = <T>(
  request: { readonly http: Request; readonly client: Client; readonly member: { readonly id: string } },
  work: (body: AsyncIterable<Uint8Array>) => Promise<T>,
) => Promise<T>;

/**
 * Makes the function that receives uploads. A place is taken at the first bytes, and held until the
 * photo is stored. Members and networks have shares in each process, so that none has the same part
 * of all processes (docs/decisions/0075-shares-of-uploads-and-pixels.md).
 */
export function createReceiveUpload(): ReceiveUpload {
  const begun = createShares({ places: 256, ofMember: 16, ofNetwork: 64 });
  const receiving = createShares({ places: 32, ofMember: 4, ofNetwork: 16 });

  return async ({ http, client, member }, work) => {
    const network = client.isDistinct === false ? undefined : networkOfClient(client);
    const holder: Holder = { member: member.id, network };
    const end = begun.take(holder);
    if (!end) throw tooManyPhotos();
    const reader = http.body?.getReader();
    let leave: (() => void) | undefined;
    try {
      const chunks = reader ? steadyBody(reader) : none();
      const first = await chunks.next();
      leave = receiving.take(holder);
      if (!leave) throw tooManyPhotos();
      return await work(first.done ? none() : joined(first.value, chunks));
    } finally {
      leave?.();
      end();
      reader?.releaseLock(); // not `cancel`: the runtime would close the connection before the answer is sent
    }
  };
}

async function* none(): AsyncGenerator<Uint8Array, void> {}

async function* joined(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield first;
  yield* rest;
}
