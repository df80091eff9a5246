/**
 * State of a claim in this browser: it `holds`; it is `broken` though every browser should hold it;
 * it is `open`, a way that only some browsers close; or it was `untried`.
 */
export type Result = 'holds' | 'broken' | 'open' | 'untried';

export interface Claim {
  /** Stable word for scripts. */
  readonly id: string;
  readonly text: string;
  /** Explains a result that depends on browser or configuration. */
  readonly why?: string;
}

export interface ClaimGroup {
  readonly title: string;
  readonly claims: readonly Claim[];
}

const frameSource =
  'Only Connection-Allowlist closes this in the app’s own headers, and this browser may have none. Send frame-src.';

/** All claims that the self-test checks, in the order of its page. */
export const claimGroups: readonly ClaimGroup[] = [
  {
    title: 'An app and the page around it',
    claims: [
      {
        id: 'starts',
        text: 'An app starts: it loads the SDK under its own headers and shakes hands with the page.',
      },
      { id: 'origin', text: 'The app has an origin that nobody else has.' },
      {
        id: 'document',
        text: 'It cannot read or run anything of the page: document, address, storage, its own frame.',
      },
      {
        id: 'page',
        text: 'Its page cannot be opened by itself, under an address of the site.',
        why: 'Browsers say what a document is for over https and to localhost. Elsewhere its page opens, still sandboxed.',
      },
      { id: 'cookies', text: 'It sees no cookie of the site and keeps none.' },
      { id: 'storage', text: 'It keeps nothing in the browser: local and session storage, IndexedDB, caches.' },
      {
        id: 'top',
        text: 'It cannot take the page elsewhere.',
        why: 'Without a control: that would take this page away.',
      },
      {
        id: 'own-storage',
        text: 'An app that asked for storage has its own, and sees neither that of another app nor the site’s.',
        why: 'Only an origin per app allows this.',
      },
    ],
  },
  {
    title: 'An app and the apps beside it',
    claims: [
      { id: 'find', text: 'It cannot find the frames of other apps.' },
      { id: 'forge', text: 'It cannot say hello in another app’s place and so get its port.' },
    ],
  },
  {
    title: 'What an app knows stays where it is',
    claims: [
      { id: 'fetch', text: 'fetch reaches no stranger.' },
      { id: 'xhr', text: 'XMLHttpRequest reaches none.' },
      { id: 'beacon', text: 'A beacon reaches none.' },
      { id: 'socket', text: 'A WebSocket reaches none.' },
      { id: 'events', text: 'An EventSource reaches none.' },
      { id: 'picture', text: 'A picture comes from none.' },
      { id: 'style', text: 'A style sheet comes from none.' },
      { id: 'script', text: 'A script comes from none.' },
      { id: 'import', text: 'A module comes from none.' },
      { id: 'font', text: 'A font comes from none.' },
      { id: 'media', text: 'A sound comes from none.' },
      { id: 'preload', text: 'A preload fetches from none.' },
      { id: 'object', text: 'An object shows none.' },
      { id: 'frame', text: 'A frame in its frame shows none.' },
      { id: 'srcdoc', text: 'A frame that it writes itself (srcdoc) sends to none.' },
      { id: 'worker', text: 'A worker is not started.' },
      { id: 'form', text: 'A form is sent to none.' },
    ],
  },
  {
    title: 'It does not go away with what it knows, by its own headers alone',
    claims: [
      { id: 'location', text: 'By script.', why: frameSource },
      { id: 'link', text: 'By a link.', why: frameSource },
      { id: 'refresh', text: 'By a meta refresh.', why: frameSource },
    ],
  },
  {
    title: 'Nor from a page that sends frame-src, as yours should',
    claims: [
      { id: 'framed-location', text: 'By script.' },
      { id: 'framed-link', text: 'By a link.' },
      { id: 'framed-refresh', text: 'By a meta refresh.' },
    ],
  },
  {
    title: 'A page cannot try this',
    claims: [
      {
        id: 'webrtc',
        text: 'WebRTC: packets to a STUN server.',
        why: 'Closed by Connection-Allowlist in Chromium, open in other browsers.',
      },
      {
        id: 'names',
        text: 'dns-prefetch and preconnect: a name is looked up, a connection opened.',
        why: 'Closed by Connection-Allowlist in Chromium; what other browsers do stands in docs/isolation.md.',
      },
    ],
  },
];
