import type { Browser } from '../browser/chromium.ts';
import type { Data } from '../browser/devtools.ts';

/** A page of a browser, in a browser context of its own, with the frames inside of it. */
export type Tab = Awaited<ReturnType<typeof openTab>>;

export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const quietMs = 100;

/** Opens an empty page. */
export async function openTab({ devtools }: Browser) {
  const { browserContextId } = await devtools.send<{ browserContextId: string }>('Target.createBrowserContext');
  const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  const { sessionId: page } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', {
    ...{ targetId, flatten: true },
  });
  const contexts = new Map<string, Set<number>>(); // of scripts, by session: one for the page and each of its frames
  const requests = new Set<string>();
  let features: readonly Data[] = [];
  let lastRequestMs = performance.now();
  let onLoad: (() => void) | undefined;

  const unsubscribe = devtools.subscribe((method, params, session = '') => {
    const ids = contexts.get(session);
    if (ids === undefined) return;
    const request = String(params.requestId); // one for all sessions: a frame's document begins in one and ends in another
    switch (method) {
      case 'Target.attachedToTarget':
        void begin((params as { readonly sessionId: string }).sessionId).catch(() => {}); // it may be gone
        break;
      case 'Target.detachedFromTarget':
        contexts.delete((params as { readonly sessionId: string }).sessionId);
        break;
      case 'Runtime.executionContextCreated': {
        const { id, auxData } = params.context as { id: number; auxData?: { isDefault?: boolean } };
        if (auxData?.isDefault) ids.add(id);
        break;
      }
      case 'Runtime.executionContextDestroyed':
        ids.delete(params.executionContextId as number);
        break;
      case 'Runtime.executionContextsCleared':
        ids.clear();
        break;
      case 'Network.requestWillBeSent':
        if (isEndless(params)) break;
        requests.add(request);
        lastRequestMs = performance.now();
        break;
      case 'Network.loadingFinished':
      case 'Network.loadingFailed':
        requests.delete(request);
        lastRequestMs = performance.now();
        break;
      case 'Page.loadEventFired':
        if (session !== page) break;
        requests.clear(); // of the previous page: some never report their end
        onLoad?.();
    }
  });

  async function begin(session: string): Promise<void> {
    contexts.set(session, new Set());
    await Promise.all([
      devtools.send('Page.enable', {}, session),
      devtools.send('Runtime.enable', {}, session),
      devtools.send('Network.enable', {}, session),
      devtools.send('Emulation.setEmulatedMedia', { features }, session),
      devtools.send(
        'Target.setAutoAttach',
        { autoAttach: true, waitForDebuggerOnStart: false, flatten: true },
        session,
      ),
    ]);
  }

  async function run(expression: string, session: string, contextId?: number): Promise<unknown> {
    const { result, exceptionDetails } = await devtools.send<{
      readonly result: { readonly value?: unknown };
      readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
    }>(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true, ...(contextId !== undefined && { contextId }) },
      session,
    );
    if (!exceptionDetails) return result.value;
    const { text, exception } = exceptionDetails;
    throw new Error((exception?.description ?? text).split('\n    at ')[0]?.replace(/^(?:Uncaught )?Error: /, ''));
  }

  await begin(page);
  return {
    /** Emulates media features, such as `prefers-reduced-motion`, in the page and its frames. */
    async emulate(media: Readonly<Record<string, string>>): Promise<void> {
      features = Object.entries(media).map(([name, value]) => ({ name, value }));
      const sent = [...contexts.keys()].map((session) =>
        devtools.send('Emulation.setEmulatedMedia', { features }, session),
      );
      await Promise.all(sent.map((one) => one.catch(() => {}))); // a frame may go meanwhile
    },
    async resize(width: number, height: number): Promise<void> {
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await devtools.send('Emulation.setDeviceMetricsOverride', metrics, page);
    },
    /** Resolves when the page's `load` event was fired. */
    async go(url: string): Promise<void> {
      const loaded = new Promise<void>((resolve) => {
        onLoad = resolve;
      });
      const { errorText } = await devtools.send<{ errorText?: string }>('Page.navigate', { url }, page);
      if (errorText) throw new Error(`${url} cannot be opened: ${errorText}`);
      await loaded;
    },
    /** Runs an expression in the page. @throws Error with the message of what it throws. */
    evaluate: async <Result>(expression: string) => (await run(expression, page)) as Result,
    async evaluateEverywhere(expression: string): Promise<void> {
      const runs = [...contexts].flatMap(([session, ids]) => [...ids].map((id) => run(expression, session, id)));
      await Promise.all(runs.map((one) => one.catch(() => {}))); // a frame may go meanwhile
    },
    /** Resolves when no request was open for a tenth of a second, or after `mostMs`. */
    async quiet(mostMs: number): Promise<void> {
      const endMs = performance.now() + mostMs;
      while (performance.now() < endMs) {
        const waitMs = requests.size > 0 ? quietMs : lastRequestMs + quietMs - performance.now();
        if (waitMs <= 0) return;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    },
    /** Takes a part of the page as PNG. */
    async picture(clip: Clip): Promise<Buffer> {
      const options = { format: 'png', clip: { ...clip, scale: 1 } };
      const { data } = await devtools.send<{ data: string }>('Page.captureScreenshot', options, page);
      return Buffer.from(data, 'base64');
    },
    async close(): Promise<void> {
      unsubscribe();
      await devtools.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
    },
  };
}

/** Returns whether a request may never end: event streams stay open as long as their page. */
function isEndless({ type, request }: Data): boolean {
  // A frame's document may finish before its own session listens.
  return (
    type === 'EventSource' ||
    type === 'Document' ||
    /\/(?:gantry|dev)\/events(?:\?|$)/.test((request as { readonly url: string }).url)
  );
}
