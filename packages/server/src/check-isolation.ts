import { isIP } from 'node:net';
import { isLocalHost } from '@gantry/wire';

/** What asks for the two files: `fetch`, or what reaches a server by another way. */
export type AskFile = (
  address: string,
  init: { readonly redirect: 'manual'; readonly signal: AbortSignal; readonly headers?: Record<string, string> },
) => Promise<Response>;

/** Headers of an app's document, and what an app can do where a reverse proxy took one away (security rule 5). */
const needed: readonly { name: string; has: RegExp; without: string }[] = [
  { name: 'Content-Security-Policy', has: /^sandbox allow-scripts/, without: 'apps send what they know anywhere' },
  { name: 'Content-Security-Policy', has: /default-src 'none'/, without: 'apps load from anywhere' },
  { name: 'Connection-Allowlist', has: /response-origin/, without: 'apps take what they know along when they go away' },
  { name: 'Permissions-Policy', has: /camera=\(\)/, without: 'apps may ask for camera, place and more' },
  { name: 'X-Content-Type-Options', has: /^nosniff$/, without: 'browsers guess what a file is' },
];

/**
 * Fetches an app's document and the SDK through the public address, as browsers get them.
 *
 * @returns One line for each thing that a reverse proxy took away or that keeps apps less apart than they could be.
 */
export async function checkIsolation(options: {
  /** Origin of the site's pages. */
  readonly site: string;
  /** Address of an app's page. */
  readonly document: string;
  readonly fetch?: AskFile;
}): Promise<readonly string[]> {
  const { site, document, fetch = globalThis.fetch } = options;
  const [page, sdk, opened] = await Promise.all([
    ask(fetch, document),
    ask(fetch, `${site}/gantry/osapi.js`),
    fetch(document, { ...patient(), headers: { 'Sec-Fetch-Dest': 'document' } }).catch(() => undefined),
  ]);
  await opened?.body?.cancel();
  const arrived = [...documentTroubles(page), ...sdkTroubles(sdk), ...openedTroubles(opened)];
  return [...addressTroubles(new URL(site), new URL(document)), ...new Set(arrived)];
}

/** The part of it that needs no request: what the two addresses alone do not keep apart. */
export function addressTroubles(site: URL, document: URL): readonly string[] {
  const shared = sharedDomain(site.hostname, document.hostname);
  return [
    ...(shared === undefined
      ? []
      : [
          `${document.host} and ${site.host} share ${shared}: a cookie of the site with Domain=${shared} goes to the hosts of apps, and apps that keep storage could set one.`,
        ]),
    ...(site.protocol === 'https:' && document.protocol === 'http:'
      ? [`${document.origin} is plain http: browsers show no such frame on a page of ${site.origin}.`]
      : []),
    ...(isTrustworthy(document)
      ? []
      : [
          `${document.origin} is plain http: browsers do not say there what a document is for, so a page of an app can be opened under this address as if it were yours. Use https.`,
        ]),
  ];
}

/** Browsers send `Sec-Fetch-Dest` to these origins only (Secure Contexts §3.1). */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLocalHost(hostname);
}

// Without the list of public suffixes: one label is never a domain of its own, nor are co.uk and its kind.
function sharedDomain(site: string, app: string): string | undefined {
  if (site === app || isIP(site) !== 0 || isIP(app) !== 0) return undefined;
  const labels = site.split('.').reverse();
  const others = app.split('.').reverse();
  const end = labels.findIndex((label, index) => label !== others[index]);
  const shared = (end === -1 ? labels : labels.slice(0, end)).reverse();
  const domain = shared.join('.');
  return shared.length < 2 || /^(ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(domain) ? undefined : domain;
}

function documentTroubles(answer: Response | string): string[] {
  if (typeof answer === 'string') return [answer];
  const troubles = needed.flatMap(({ name, has, without }) =>
    has.test(answer.headers.get(name) ?? '') ? [] : [`${name} does not arrive as it was sent: ${without}.`],
  );
  const hasCookie = answer.headers.has('Set-Cookie');
  return hasCookie ? [...troubles, 'A cookie is set with an app’s document: none may be.'] : troubles;
}

function openedTroubles(answer: Response | undefined): string[] {
  return answer?.status === 200
    ? ['Sec-Fetch-Dest does not arrive: pages of apps open by themselves, under an address of the site.']
    : [];
}

function sdkTroubles(answer: Response | string): string[] {
  if (typeof answer === 'string') return [answer];
  const isOpen = answer.headers.get('Access-Control-Allow-Origin') === '*';
  return isOpen
    ? []
    : ['Access-Control-Allow-Origin of /gantry/osapi.js does not arrive: apps cannot load it as a module.'];
}

function patient(): { readonly redirect: 'manual'; readonly signal: AbortSignal } {
  return { redirect: 'manual', signal: AbortSignal.timeout(10_000) };
}

async function ask(fetch: AskFile, address: string): Promise<Response | string> {
  try {
    const answer = await fetch(address, patient());
    await answer.body?.cancel();
    if (answer.status === 200) return answer;
    const isSentBack = answer.headers.get('Location') === address; // to the name that it was asked under, as browsers see it
    return answer.status === 421 || isSentBack
      ? hostTrouble(address)
      : `${address} answers ${answer.status} instead of 200.`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : (cause as Error).name;
    return `${address} cannot be reached (${why}).`;
  }
}

/** The line to print where the site is asked under another name than browsers use. */
export function hostTrouble(address: string): string {
  return `${new URL(address).origin} is asked under another name than browsers use: have the Host passed on as it came (nginx: proxy_set_header Host $http_host).`;
}
