import type { IncomingMessage } from 'node:http';
import type { Viewer } from '@gantry/account';
import type { SiteViewer } from '../gantry.ts';

/**
 * Adapts the site's own `viewer` function: passes it Node's request too, and checks its result.
 *
 * @param incoming Returns Node's request of the request that is being answered.
 * @throws TypeError from the function for a number, as ids in tables often are: no member would be
 * signed in.
 */
export function createSessionViewer(viewer: SiteViewer, incoming: () => IncomingMessage | undefined): Viewer {
  return async (request) => {
    const id = (await viewer(request, incoming())) ?? undefined; // plain JavaScript may return null
    if (id === undefined || typeof id === 'string') return id;
    throw new TypeError(`viewer must return the member's id as text or undefined, not ${typeof id}.`);
  };
}
