import { type Route, readJson, sendJson, sendRefusal } from '../route.ts';
import type { StoryRequest } from './protocol.ts';
import type { Stories } from './stories.ts';

/** Serves `GET /dev/stories` (the list) and `POST /dev/stories` (one, with props). */
export function createStoriesRoute(stories: Stories): Route {
  return async ({ incoming, outgoing, method, path }) => {
    if (path !== '/dev/stories') return false;
    if (method !== 'POST') return sendJson(outgoing, await stories.list());
    try {
      return sendJson(outgoing, await stories.open(await readJson<StoryRequest>(incoming)));
    } catch (error) {
      return sendRefusal(outgoing, error);
    }
  };
}
