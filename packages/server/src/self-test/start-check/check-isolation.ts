import { isIP } from 'node:net';
import { isLocalHost } from '@gantry/wire/runtime';

/** `fetch`, or a function that reaches a server in another way. */
export type AskFile = (
  address: string,
  init: { readonly redirect: 'manual'; readonly signal: AbortSignal; readonly headers?: Record<string, string> },
) => Promise<Response>;

/** Headers of an app's document, and the consequence without each (security rule 5). */
const needed: readonly { name: string; has: RegExp; without: string }[] = [
  { name: 'Content-Security-Policy', has: /^sandbox allow-scripts/, without: 'apps can send data anywhere' },
  { name: 'Content-Security-Policy', has: /default-src 'none'/, without: 'apps can load from anywhere' },
  { name: 'Connection-Allowlist', has: /response-origin/, without: 'apps can navigate elsewhere with data' },
  { name: 'Permissions-Policy', has: /camera=\(\)/, without: 'apps may ask for camera, location and more' },
  { name: 'X-Content-Type-Options', has: /^nosniff$/, without: 'browsers guess what a file is' },
];

/**
 * Fetches an app's document and the SDK through the public address, as browsers do.
 *
 * @returns A line for each header that a reverse proxy removed and each weakness of the addresses.
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
    fetch(document, { ...withTimeout(), headers: { 'Sec-Fetch-Dest': 'document' } }).catch(() => undefined),
  ]);
  await opened?.body?.cancel();
  const arrived = [...documentProblems(page), ...sdkProblems(sdk), ...openedProblems(opened)];
  return [...addressProblems(new URL(site), new URL(document)), ...new Set(arrived)];
}

/** Returns the weaknesses of the two addresses alone, without a request. */
export function addressProblems(site: URL, document: URL): readonly string[] {
  const shared = sharedDomain(site.hostname, document.hostname);
  return [
    ...(shared === undefined
      ? []
      : [
          `${document.host} and ${site.host} share ${shared}: a cookie of the site with Domain=${shared} is sent to apps' hosts, and apps with storage could set one.`,
        ]),
    ...(site.protocol === 'https:' && document.protocol === 'http:'
      ? [`${document.origin} is plain http: browsers do not show it in a page of ${site.origin}.`]
      : []),
    ...(isTrustworthy(document)
      ? []
      : [
          `${document.origin} is plain http, where browsers send no Sec-Fetch-Dest, so a page of an app can be opened under this address as if it were yours. Use https.`,
        ]),
  ];
}

/** Browsers send `Sec-Fetch-Dest` to these origins only (Secure Contexts §3.1). */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLocalHost(hostname);
}

// Without the public suffix list: a single label is not a domain of its own, nor is co.uk.
function sharedDomain(site: string, app: string): string | undefined {
  if (site === app || isIP(site) !== 0 || isIP(app) !== 0) return undefined;
  const labels = site.split('.').reverse();
  const others = app.split('.').reverse();
  const end = labels.findIndex((label, index) => label !== others[index]);
  const shared = (end === -1 ? labels : labels.slice(0, end)).reverse();
  const domain = shared.join('.');
  return shared.length < 2 || /^(ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(domain) ? undefined : domain;
}

function documentProblems(answer: Response | string): string[] {
  if (typeof answer === 'string') return [answer];
  const problems = needed.flatMap(({ name, has, without }) =>
    has.test(answer.headers.get(name) ?? '') ? [] : [`${name} is missing or changed on the way: ${without}.`],
  );
  const hasCookie = answer.headers.has('Set-Cookie');
  return hasCookie ? [...problems, 'A cookie is set with an app’s document; none may be.'] : problems;
}

function openedProblems(answer: Response | undefined): string[] {
  return answer?.status === 200
    ? ['Sec-Fetch-Dest does not reach Gantry: pages of apps can be opened directly, under an address of the site.']
    : [];
}

function sdkProblems(answer: Response | string): string[] {
  if (typeof answer === 'string') return [answer];
  const isOpen = answer.headers.get('Access-Control-Allow-Origin') === '*';
  return isOpen ? [] : ['Access-Control-Allow-Origin of /gantry/osapi.js is missing: apps cannot load it as a module.'];
}

function withTimeout(): { readonly redirect: 'manual'; readonly signal: AbortSignal } {
  return { redirect: 'manual', signal: AbortSignal.timeout(10_000) };
}

async function ask(fetch: AskFile, address: string): Promise<Response | string> {
  try {
    const answer = await fetch(address, withTimeout());
    const isSentBack = answer.headers.get('Location') === address; // redirected to the name that browsers use
    if (answer.status === 421 || isSentBack) return await hostProblem(address, answer);
    await answer.body?.cancel();
    if (answer.status === 200) return answer;
    return `${address} answers ${answer.status} instead of 200.`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : (cause as Error).name;
    return `${address} cannot be reached (${why}).`;
  }
}

/** Returns the problem of a refused `Host` header: another `GANTRY_URL`, or a reverse proxy. */
export async function hostProblem(address: string, refusal: Response): Promise<string> {
  const { origin, host } = new URL(address);
  const [, url, arrived] = /answers for ([\w.:/[\]-]+), not for ([\w.:[\]-]+)\./.exec(await refusal.text()) ?? [];
  if (arrived === host) {
    return `The site was started for ${url}, and ${origin} is checked: start it with GANTRY_URL=${origin} (--url), or check ${url}.`;
  }
  return `${origin} is asked under another name than browsers use: pass the Host header on unchanged (nginx: proxy_set_header Host $http_host).`;
}
