import type { Browser, Request } from '@playwright/test';

/** A page that knows when its requests rest. */
export type Tab = Awaited<ReturnType<typeof openTab>>;

const quietMs = 100;

/** Opens an empty page in a browser context of its own. */
export async function openTab(browser: Browser) {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  const open = new Set<Request>();
  let lastRequestMs = performance.now();
  const ended = (request: Request): void => {
    open.delete(request);
    lastRequestMs = performance.now();
  };
  page.on('request', (request) => {
    if (isEndless(request)) return;
    open.add(request);
    lastRequestMs = performance.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  page.on('load', () => open.clear()); // requests of the previous page may never end
  return {
    page,
    /** Resolves when no request was open for a tenth of a second, or after `mostMs`. */
    async quiet(mostMs: number): Promise<void> {
      const endMs = performance.now() + mostMs;
      while (performance.now() < endMs) {
        const waitMs = open.size > 0 ? quietMs : lastRequestMs + quietMs - performance.now();
        if (waitMs <= 0) return;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    },
  };
}

/** Returns whether a request may never end: event streams stay open as long as their page. */
function isEndless(request: Request): boolean {
  return request.resourceType() === 'eventsource' || /\/(?:gantry|dev)\/events(?:\?|$)/.test(request.url());
}
