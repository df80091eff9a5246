type Fetch = typeof globalThis.fetch;

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
  readonly fetch?: Fetch;
}): Promise<readonly string[]> {
  const { site, document, fetch = globalThis.fetch } = options;
  const [page, sdk] = await Promise.all([ask(fetch, document), ask(fetch, `${site}/gantry/osapi.js`)]);
  return [...addressTroubles(new URL(site), new URL(document)), ...documentTroubles(page), ...sdkTroubles(sdk)];
}

function addressTroubles(site: URL, document: URL): string[] {
  const isBelow = document.hostname.endsWith(`.${site.hostname}`) && site.hostname !== 'localhost';
  return [
    ...(isBelow
      ? [`${document.host} is below ${site.host}: apps that keep storage could set cookies of the site.`]
      : []),
    ...(site.protocol === 'https:' && document.protocol === 'http:'
      ? [`${document.origin} is plain http: browsers show no such frame on a page of ${site.origin}.`]
      : []),
  ];
}

function documentTroubles(answer: Response | string): string[] {
  if (typeof answer === 'string') return [answer];
  const troubles = needed.flatMap(({ name, has, without }) =>
    has.test(answer.headers.get(name) ?? '') ? [] : [`${name} does not arrive as it was sent: ${without}.`],
  );
  const hasCookie = answer.headers.has('Set-Cookie');
  return hasCookie ? [...troubles, 'A cookie is set with an app’s document: none may be.'] : troubles;
}

function sdkTroubles(answer: Response | string): string[] {
  if (typeof answer === 'string') return [answer];
  const isOpen = answer.headers.get('Access-Control-Allow-Origin') === '*';
  return isOpen
    ? []
    : ['Access-Control-Allow-Origin of /gantry/osapi.js does not arrive: apps cannot load it as a module.'];
}

async function ask(fetch: Fetch, address: string): Promise<Response | string> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    await answer.body?.cancel();
    return answer.status === 200 ? answer : `${address} answers ${answer.status} instead of 200.`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : (cause as Error).name;
    return `${address} cannot be reached (${why}).`;
  }
}
