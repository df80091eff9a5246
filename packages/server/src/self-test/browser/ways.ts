import type { Outcome } from './report.ts';

/** Returns an address of the stranger, for one attempt. */
export type AddressOf = (file: string) => string;

/** One way to send data to a stranger without a navigation. */
export interface Way {
  /** True if the document can see that it arrived. */
  readonly seen: boolean;
  attempt(at: AddressOf, arrived: () => void): unknown;
}

/** Ways by the id of the claim that they do not work. */
export const ways: Readonly<Record<string, Way>> = {
  fetch: seen((at, arrived) => fetch(at('text.txt')).then(arrived)),
  xhr: seen((at, arrived) => {
    const asked = new XMLHttpRequest();
    asked.onload = arrived;
    asked.open('GET', at('text.txt'));
    asked.send();
  }),
  beacon: unseen((at) => navigator.sendBeacon(at('text.txt'), 'what it knows')),
  socket: unseen((at) => new WebSocket(at('text.txt').replace(/^http/, 'ws'))),
  events: seen((at, arrived) => {
    const source = new EventSource(at('events.txt'));
    source.onmessage = () => {
      source.close();
      arrived();
    };
    source.onerror = () => source.close();
  }),
  picture: seen((at, arrived) => element('img', { onload: arrived, alt: '', src: at('picture.svg') })),
  style: seen((at, arrived) => element('link', { onload: arrived, rel: 'stylesheet', href: at('style.css') })),
  script: seen((at, arrived) => element('script', { onload: arrived, src: at('script.js') })),
  import: seen((at, arrived) => import(/* @vite-ignore */ at('script.js')).then(arrived)),
  font: unseen((at) => {
    new FontFace('probe', `url("${at('text.txt')}")`).load().catch(() => {}); // the file is no font
  }),
  media: seen((at, arrived) => element('audio', { onloadedmetadata: arrived, preload: 'auto', src: at('sound.wav') })),
  preload: seen((at, arrived) =>
    element('link', { onload: arrived, rel: 'preload', as: 'image', href: at('picture.svg') }),
  ),
  object: seen((at, arrived) => {
    onArrival('object', arrived);
    element('object', { type: 'text/html', data: at('page.html') });
  }),
  frame: seen((at, arrived) => {
    onArrival('frame', arrived);
    element('iframe', { src: at('page.html') });
  }),
  srcdoc: seen((at, arrived) => {
    onArrival('srcdoc', arrived);
    const word = JSON.stringify({ gantrySelfTest: { claim: 'arrived', detail: 'srcdoc' } });
    const sends = `fetch(${JSON.stringify(at('text.txt'))}).then(() => parent.postMessage(${word}, '*'))`;
    element('iframe', { srcdoc: `<script>${sends}</script>` });
  }),
  worker: seen((_at, arrived) => {
    const code = URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }));
    new Worker(code).onmessage = arrived;
  }),
};

const seenMs = 3_000;
const unseenMs = 700;
const quietMs = 100;

/**
 * Tries one way. A policy violation or an error counts as refused. An attempt whose arrival cannot
 * be seen, without either, counts as sent.
 */
export async function tryWay(
  { seen: isSeen, attempt }: Way,
  { address, claim }: { readonly address: AddressOf; readonly claim: string },
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  function onViolation({ blockedURI }: SecurityPolicyViolationEvent): void {
    const [, way] = /[?&]way=(\w+)/.exec(blockedURI) ?? [];
    if (way === undefined || way === claim) resolve('refused'); // some browsers name the origin only
  }
  addEventListener('securitypolicyviolation', onViolation);
  setTimeout(() => resolve(isSeen ? 'silent' : 'sent'), isSeen ? seenMs : unseenMs);
  try {
    const at: AddressOf = (file) => `${address(file)}&way=${claim}`;
    await attempt(at, () => resolve('arrived'));
  } catch {
    resolve('refused');
  }
  const outcome = await promise;
  await new Promise((done) => setTimeout(done, quietMs)); // late violations must not count for the next way
  removeEventListener('securitypolicyviolation', onViolation);
  return outcome;
}

function seen(attempt: Way['attempt']): Way {
  return { seen: true, attempt };
}

function unseen(attempt: Way['attempt']): Way {
  return { seen: false, attempt };
}

function element(name: string, properties: object): void {
  document.body.append(Object.assign(document.createElement(name), properties));
}

/** Listens for the stranger's document, which reports its arrival to its parent. */
function onArrival(way: string, arrived: () => void): void {
  addEventListener('message', ({ data }) => {
    if (data?.gantrySelfTest?.claim === 'arrived' && data.gantrySelfTest.detail === way) arrived();
  });
}
