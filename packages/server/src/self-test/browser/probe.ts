import { lookAround } from './looks.ts';
import type { Outcome, Report } from './report.ts';
import { element, tryWay, ways } from './ways.ts';

// Runs inside the frames of the self-test. The query names the role of each.

const query = new URLSearchParams(location.search);
const key = query.get('key') ?? '';
const { heard } = JSON.parse(document.getElementById('setup')?.textContent ?? '') as { readonly heard: string };
const address = (file: string): string => `${heard}/${file}?${new URLSearchParams({ key })}`;

function report(claim: string, outcome: Outcome = 'arrived', detail = ''): void {
  top?.postMessage({ gantrySelfTest: { key, claim, outcome, detail } satisfies Report }, '*');
}

const roles: Readonly<Record<string, () => unknown>> = {
  /** Reads the page around it, then tries to navigate it. */
  async looks() {
    for (const { claim, outcome, detail } of await lookAround()) report(claim, outcome, detail);
    if (!query.has('top')) return;
    report('top', tryTop());
  },

  /** Tries every way to send data without a navigation. */
  async stays() {
    for (const [claim, way] of Object.entries(ways)) report(claim, await tryWay(way, { address, claim }));
  },

  /** Navigates away, by the way that the query names. */
  leaves() {
    report('going');
    setTimeout(() => leave(query.get('way') ?? ''), 50); // after load, as a separate navigation
  },

  /** Sends nothing, though it has the SDK: its address has no nonce. */
  waits() {},

  /** Looks for frames of other apps, and sends hellos in their place. */
  async forges() {
    report('find', parent.length > 0 ? 'arrived' : 'refused', `${parent.length}`);
    report('forge', (await isHelloAnswered()) ? 'arrived' : 'refused');
  },

  /** Reports stored data, then stores some. */
  keeps() {
    const item = 'gantry-self-test';
    try {
      const before = localStorage.getItem(item);
      const cookies = document.cookie.includes('gantry-self-test=');
      if (query.has('tidy')) return localStorage.removeItem(item);
      localStorage.setItem(item, key);
      report('kept', localStorage.getItem(item) === key ? 'arrived' : 'refused');
      report('others', before !== null || cookies ? 'arrived' : 'refused');
    } catch (error) {
      report('kept', 'refused', String(error));
    }
  },
};

function tryTop(): Outcome {
  try {
    (top as Window).location.href = address('page.html');
    return 'silent';
  } catch {
    return 'refused';
  }
}

function leave(way: string): void {
  const to = address('page.html');
  if (way === 'location') location.href = to;
  if (way === 'link') element('a', { href: to }).click();
  if (way === 'refresh') element('meta', { httpEquiv: 'refresh', content: `0; url=${to}` });
  if (way === 'form') element('form', { action: heardForm(to), method: 'get', innerHTML: fields }).submit();
}

// A form with GET replaces the query of its action with its fields.
const fields = `<input name="key" value="${key.replace(/\W/g, '')}">`;
const heardForm = (to: string): string => to.replace(/\?.*/, '');

/** Sends hellos with every guess at a sibling's nonce: none, zeros, its own. */
async function isHelloAnswered(): Promise<boolean> {
  const ownNonce = /^#gantry=\d+\.(\w+)\./.exec(location.hash)?.[1] ?? '';
  let isAnswered = false;
  for (const nonce of ['', '0'.repeat(32), ownNonce, key]) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      isAnswered = true;
    };
    const hello = { gantry: 'hello', versions: [1], capabilities: [], nonce };
    parent.postMessage(hello, '*', [port2]);
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  return isAnswered;
}

addEventListener('load', async () => {
  await roles[query.get('as') ?? '']?.();
  report('done');
});
