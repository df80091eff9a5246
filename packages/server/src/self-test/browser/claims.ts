/**
 * State of a claim in this browser: it `holds`; it is `broken` though every browser should hold it;
 * it is `open`, a way that only some browsers close; or it was `untried`.
 */
export type Result = 'holds' | 'broken' | 'open' | 'untried';

/** Claims that the self-test checks, in the order of its page: sentences by a stable id. */
export const claimGroups: readonly { readonly title: string; readonly claims: Readonly<Record<string, string>> }[] = [
  {
    title: 'An app and the page around it',
    claims: {
      starts: 'An app starts: it loads the SDK under its own headers and shakes hands with the page.',
      origin: 'The app has an origin that nobody else has.',
      document: 'It cannot read or run anything of the page: document, address, storage, its own frame.',
      page: 'Its page cannot be opened by itself, under an address of the site.',
      cookies: 'It sees no cookie of the site and keeps none.',
      storage: 'It keeps nothing in the browser: local and session storage, IndexedDB, caches.',
      top: 'It cannot take the page elsewhere.',
      'own-storage': 'An app that asked for storage has its own, and sees neither that of another app nor the site’s.',
    },
  },
  {
    title: 'An app and the apps beside it',
    claims: {
      find: 'It cannot find the frames of other apps.',
      forge: 'It cannot say hello in another app’s place and so get its port.',
    },
  },
  {
    title: 'What an app knows stays where it is',
    claims: {
      fetch: 'fetch reaches no stranger.',
      xhr: 'XMLHttpRequest reaches none.',
      beacon: 'A beacon reaches none.',
      socket: 'A WebSocket reaches none.',
      events: 'An EventSource reaches none.',
      picture: 'A picture comes from none.',
      style: 'A style sheet comes from none.',
      script: 'A script comes from none.',
      import: 'A module comes from none.',
      font: 'A font comes from none.',
      media: 'A sound comes from none.',
      preload: 'A preload fetches from none.',
      object: 'An object shows none.',
      frame: 'A frame in its frame shows none.',
      srcdoc: 'A frame that it writes itself (srcdoc) sends to none.',
      worker: 'A worker is not started.',
      form: 'A form is sent to none.',
    },
  },
  {
    title: 'It does not go away with what it knows, by its own headers alone',
    claims: { location: 'By script.', link: 'By a link.', refresh: 'By a meta refresh.' },
  },
  {
    title: 'Nor from a page that sends frame-src, as yours should',
    claims: { 'framed-location': 'By script.', 'framed-link': 'By a link.', 'framed-refresh': 'By a meta refresh.' },
  },
  {
    title: 'A page cannot try this',
    claims: {
      webrtc: 'WebRTC: packets to a STUN server.',
      names: 'dns-prefetch and preconnect: a name is looked up, a connection opened.',
    },
  },
];

const frameSource =
  'Only Connection-Allowlist closes this in the app’s own headers, and this browser may have none. Send frame-src.';

/** Explanations of results that depend on browser or configuration, by claim. */
export const explanations: Readonly<Record<string, string>> = {
  page: 'Browsers say what a document is for over https and to localhost. Elsewhere its page opens, still sandboxed.',
  top: 'Without a control: that would take this page away.',
  'own-storage': 'Only an origin per app allows this.',
  location: frameSource,
  link: frameSource,
  refresh: frameSource,
  webrtc: 'Closed by Connection-Allowlist in Chromium, open in other browsers.',
  names: 'Closed by Connection-Allowlist in Chromium; what other browsers do stands in docs/isolation.md.',
};
