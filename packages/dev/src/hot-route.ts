import type { DevApps } from './dev-apps.ts';
import type { HotAnswer } from './protocol.ts';
import { type Route, sendJson } from './route.ts';

/** Answers `GET /dev/hot`: where the sockets of builders are now, and what does not build. */
export function createHotRoute(run: string, apps: () => DevApps): Route {
  return async ({ outgoing, method, path }) => {
    if (path !== '/dev/hot' || method !== 'GET') return false;
    const answer: HotAnswer = { run, apps: apps().hot };
    return sendJson(outgoing, answer);
  };
}
