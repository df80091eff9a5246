// The least that a host of this design can do: a script, a POST for all gadgets of a tick, and for
// each a frame with an opaque origin, a nonce, and a welcome with its data through the port that
// its document sends. It checks nothing and shows nothing else.
const search = new URLSearchParams(location.search);
const app = search.get('app') ?? 'bench';
const hellos = new Map();
let isKnown = false;

addEventListener('message', ({ data: nonce, ports: [port] }) => hellos.get(nonce)?.(port));

globalThis.insert = async (count) => {
  const asked = open(count);
  if (!isKnown) await asked; // later frames need not wait for the address of their document
  isKnown = true;
  await Promise.all(Array.from({ length: count }, (_, index) => mount(asked, index)));
  return performance.now();
};
globalThis.readyAtMs = globalThis.insert(Number(search.get('count')));

async function open(count) {
  const body = JSON.stringify(Array.from({ length: count }, () => ({ app })));
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch('/bench/floor/instances', { method: 'POST', headers, body })).json();
}

async function mount(asked, index) {
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts';
  frame.src = `/bench/${app === 'list' ? 'floor/data.html' : 'bare.html'}#${nonce}`;
  const hello = new Promise((resolve) => hellos.set(nonce, resolve));
  document.querySelector('main').append(frame);
  const port = await hello;
  const { instances, data } = await asked;
  port.postMessage({ context: instances[index].context, data });
}
