import type { HttpResponse } from '@gantry/wire';
import { hashSource } from './inline.ts';

// Reports its arrival to the parent and top windows. As the top page itself, it shows a warning: an
// app has navigated the tab.
const arrival = `
const query = new URLSearchParams(location.search);
const data = { gantrySelfTest: { key: query.get('key'), claim: 'arrived', outcome: 'arrived', detail: query.get('way') } };
if (top === self) document.body.dataset.top = '';
for (const one of new Set([parent, top])) if (one !== self) one.postMessage(data, '*');
`;
const policy = `sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src ${hashSource(arrival)}`;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Self-test of isolation</title><style>body:not([data-top]) > * { display: none }
body { max-width: 34rem; margin: 3rem auto; padding-inline: 1rem; font: 1rem/1.5 system-ui, sans-serif }</style>
<body><h1>A probe came here</h1><p>If you opened the self-test of isolation and landed here, an app can navigate the pages of this site away
in this browser: isolation does not hold. If you followed a link, there is nothing here for you.</p><script>${arrival}</script>`;

// A short silence: a header of 44 bytes, then samples.
const sound = Buffer.from(
  `524946462c01000057415645666d74201000000001000100401f0000401f0000010008006461746108010000${'80'.repeat(264)}`,
  'hex',
);

const files: Readonly<Record<string, { readonly type: string; readonly body: string | Buffer }>> = {
  'text.txt': { type: 'text/plain; charset=utf-8', body: 'heard' },
  'picture.svg': { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>' },
  'style.css': { type: 'text/css; charset=utf-8', body: '/* heard */' },
  'script.js': { type: 'text/javascript; charset=utf-8', body: '/* heard */' },
  'events.txt': { type: 'text/event-stream', body: 'retry: 60000\ndata: heard\n\n' },
  'sound.wav': { type: 'audio/wav', body: sound },
  'page.html': { type: 'text/html; charset=utf-8', body: page },
};

/** Returns a file that probes try to load, or `undefined` for other names. Stores nothing. */
export function heardFile(name: string): HttpResponse | undefined {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) return undefined;
  return {
    status: 200,
    headers: {
      'Content-Type': file.type,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*', // lets the probe read it
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: file.body,
  };
}
