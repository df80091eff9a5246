import type { Outcome } from './report.ts';

/** Returns an address of the stranger, for one attempt. */
export type AddressOf = (file: string) => string;

/** Sends data to a stranger in one way, without a navigation. */
export type Way = (at: AddressOf, arrived: () => void) => unknown;

/** Ways by the id of the claim that they do not work. */
export const ways: Readonly<Record<string, Way>> = {
  fetch: (at, arrived) => fetch(at('text.txt')).then(arrived),
  xhr: (at, arrived) => {
    const request = new XMLHttpRequest();
    request.onload = arrived;
    request.open('GET', at('text.txt'));
    request.send();
  },
  beacon: (at) => navigator.sendBeacon(at('text.txt'), 'what it knows'),
  socket: (at) => new WebSocket(at('text.txt').replace(/^http/, 'ws')),
  events: (at, arrived) => {
    const source = new EventSource(at('events.txt'));
    source.onmessage = () => {
      source.close();
      arrived();
    };
    source.onerror = () => source.close();
  },
  picture: (at, arrived) => element('img', { onload: arrived, alt: '', src: at('picture.svg') }),
  style: (at, arrived) => element('link', { onload: arrived, rel: 'stylesheet', href: at('style.css') }),
  script: (at, arrived) => element('script', { onload: arrived, src: at('script.js') }),
  import: (at, arrived) => import(/* @vite-ignore */ at('script.js')).then(arrived),
  font: (at) => {
    new FontFace('probe', `url("${at('text.txt')}")`).load().catch(() => {}); // the file is no font
  },
  media: (at, arrived) => element('audio', { onloadedmetadata: arrived, preload: 'auto', src: at('sound.wav') }),
  preload: (at, arrived) => element('link', { onload: arrived, rel: 'preload', as: 'image', href: at('picture.svg') }),
  object: (at, arrived) => {
    onArrival('object', arrived);
    element('object', { type: 'text/html', data: at('page.html') });
  },
  frame: (at, arrived) => {
    onArrival('frame', arrived);
    element('iframe', { src: at('page.html') });
  },
  srcdoc: (at, arrived) => {
    onArrival('srcdoc', arrived);
    const word = JSON.stringify({ gantrySelfTest: { claim: 'arrived', detail: 'srcdoc' } });
    const sends = `fetch(${JSON.stringify(at('text.txt'))}).then(() => parent.postMessage(${word}, '*'))`;
    element('iframe', { srcdoc: `<script>${sends}</script>` });
  },
  worker: (_at, arrived) => {
    const code = URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }));
    new Worker(code).onmessage = arrived;
  },
};

/** Ways whose arrival the document cannot see. */
const unseen: ReadonlySet<string> = new Set(['beacon', 'socket', 'font']);
const seenMs = 3_000;
const unseenMs = 700;
const quietMs = 100;

/** Tries one way. An error counts as refused; an arrival that cannot be seen counts as sent. */
export async function tryWay(
  attempt: Way,
  { address, claim }: { readonly address: AddressOf; readonly claim: string },
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  function onViolation({ blockedURI }: SecurityPolicyViolationEvent): void {
    const [, way] = /[?&]way=(\w+)/.exec(blockedURI) ?? [];
    if (way === undefined || way === claim) resolve('refused'); // some browsers name the origin only
  }
  addEventListener('securitypolicyviolation', onViolation);
  if (unseen.has(claim)) setTimeout(resolve, unseenMs, 'sent');
  else setTimeout(resolve, seenMs, 'silent');
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

/** Adds an element to the document. */
export function element<Name extends keyof HTMLElementTagNameMap>(name: Name, properties: object) {
  const made = Object.assign(document.createElement(name), properties);
  document.body.append(made);
  return made;
}

/** Listens for the stranger's document, which reports its arrival to its parent. */
function onArrival(way: string, arrived: () => void): void {
  addEventListener('message', ({ data }) => {
    if (data?.gantrySelfTest?.claim === 'arrived' && data.gantrySelfTest.detail === way) arrived();
  });
}
