import type { DevApps } from './dev-apps.ts';
import type { HotAnswer } from './protocol.ts';
import { type Route, sendJson } from './route.ts';

/** Serves `GET /dev/hot`: socket addresses of builders, and build errors. */
export function createHotRoute(run: string, apps: () => DevApps): Route {
  return async ({ outgoing, method, path }) => {
    if (path !== '/dev/hot' || method !== 'GET') return false;
    const answer: HotAnswer = { run, apps: apps().hot };
    return sendJson(outgoing, answer);
  };
}
