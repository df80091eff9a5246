import type { TapDelivery, Tapped } from '@gantry/testing/tap-protocol';

const soonMs = 25;
const latestMs = 200;
const mostWaiting = 20_000;
const mostCharacters = 4_000_000;

/** Collects messages; delivers them a moment later, on page hide, and on request. */
export function createDelivery(
  page: Window & typeof globalThis,
  options: { readonly name: string; readonly deliver: (text: string) => void },
): { add(read: () => Tapped | undefined): void } {
  const { name, deliver } = options;
  // Captured now: a page may replace them, and a test may stop the page clock.
  const whenIdle = page.requestIdleCallback?.bind(page); // absent in some browsers
  const later = page.setTimeout.bind(page);
  const stringify = JSON.stringify;
  const document = Array.from(page.crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('');
  let waiting: (() => Tapped | undefined)[] = [];
  let leftOut = 0;
  let count = 0;
  let isDue = false;

  function textOf(read: () => Tapped | undefined): string | undefined {
    try {
      const tapped = read();
      if (tapped === undefined) return undefined;
      const text = stringify(tapped);
      if (text.length <= mostCharacters) return text;
    } catch {
      // The page, too, refuses values that JSON cannot hold.
    }
    leftOut += 1;
    return undefined;
  }
  function flush(): void {
    isDue = false;
    if (waiting.length === 0 && leftOut === 0) return;
    const sights = waiting;
    waiting = [];
    let texts = '';
    for (let index = 0; index < sights.length; index += 1) {
      const text = textOf(sights[index] as () => Tapped | undefined);
      if (text !== undefined) texts += texts === '' ? text : `,${text}`;
      if (texts.length > mostCharacters) {
        send(texts);
        texts = '';
      }
    }
    send(texts);
  }
  function send(texts: string): void {
    count += 1;
    const head: Omit<TapDelivery, 'tapped'> = { document, count, leftOut };
    leftOut = 0;
    deliver(`${stringify(head).slice(0, -1)},"tapped":[${texts}]}`);
  }

  page.addEventListener('pagehide', flush, true);
  page.addEventListener(
    name,
    (event) => {
      flush();
      if (event instanceof CustomEvent) Object.assign(event.detail, { document, count });
    },
    true,
  );
  return {
    add(read) {
      if (waiting.length >= mostWaiting) {
        leftOut += 1;
        return;
      }
      waiting[waiting.length] = read;
      if (isDue) return;
      isDue = true;
      // A burst of calls is not interrupted.
      if (whenIdle) whenIdle(flush, { timeout: latestMs });
      else later(flush, soonMs);
    },
  };
}
