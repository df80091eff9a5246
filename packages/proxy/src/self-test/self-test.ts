import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SocialError } from '@gantry/wire';
import type { AppAddresses } from '../app-addresses.ts';
import { appHeaders, sandboxOf } from '../document-headers.ts';
import { privateHeaders } from '../responses.ts';
import { createScript } from '../scripts.ts';
import { heardFile } from './heard.ts';
import { narrowPage, selfTestPage } from './page.ts';
import { appDocument, barePolicy, strangerHeaders } from './probes.ts';

const root = '/gantry/self-test';

/**
 * Serves `GET|HEAD /gantry/self-test`: a page which tries, in the browser that opens it, whether apps of this site are kept
 * apart. It mounts probes where apps live and with the headers of apps, and lets them try to get out.
 *
 * It is for anybody: it names nothing but where apps live, which every page with a gadget does, and it keeps nothing. What a
 * probe sends is answered and forgotten; that the answer came is what tells the page (ADR 24).
 *
 * @param options.script File of the built container, beside which the scripts of the page and its probes lie.
 */
export function createSelfTest(options: {
  readonly siteOrigin: string;
  readonly mediaOrigins: readonly string[];
  readonly addresses: AppAddresses;
  readonly script: string;
}): (request: Request) => Promise<Response> {
  const { siteOrigin, mediaOrigins, addresses, script } = options;
  const built = (name: string) => join(dirname(script), name);
  const pageScript = createScript(built('self-test-page.js'));
  const probe = once(() => readProbe(built('self-test-probe.js')));
  const { ownHosts } = addresses;
  // Two apps, as the site would address any others: with hosts of their own where it has them for apps.
  const [first, second] = ['gantry-self-test', 'gantry-self-test-sibling'].map((id) => addresses.originOf(id)) as [
    string,
    string,
  ];
  const ownOrigins = first !== second;
  const origins = [...new Set([siteOrigin, first, second])];
  const setup = {
    mode: ownOrigins ? 'an origin per app' : ownHosts ? 'one sandbox origin' : 'opaque',
    heard: `${siteOrigin}${root}/heard`,
    narrow: `${siteOrigin}${root}/narrow`,
    sandbox: sandboxOf({ storage: false }),
    app: `${first}${root}/apps/app`,
    sibling: `${second}${root}/apps/app`,
    stranger: `${first}${root}/apps/stranger`,
    bare: `${siteOrigin}${root}/apps/bare`,
    ...(ownOrigins && {
      storage: {
        sandbox: sandboxOf({ storage: true }),
        apps: [`${first}${root}/apps/keeper`, `${second}${root}/apps/keeper`],
      },
    }),
  };

  // By name, for each origin that serves them: apps where apps live, the control on the site's own.
  function probeHeaders(origin: string, name: string): Record<string, string> | undefined {
    const site = { documentOrigin: origin, siteOrigin, mediaOrigins, hosts: [], ownHost: ownHosts };
    if (name === 'bare' && origin === siteOrigin) return { 'Content-Security-Policy': barePolicy(siteOrigin) };
    if (origin === siteOrigin && ownHosts) return undefined;
    if (name === 'app') return appHeaders({ ...site, storage: false });
    if (name === 'stranger') return strangerHeaders({ siteOrigin, ownHost: ownHosts });
    if (name === 'keeper' && ownOrigins) return appHeaders({ ...site, storage: true });
    return undefined;
  }

  async function probeDocument(origin: string, name: string): Promise<Response> {
    const headers = origins.includes(origin) ? probeHeaders(origin, name) : undefined;
    if (!headers) throw nothingThere();
    const document = appDocument({
      script: await probe(),
      setup: { heard: setup.heard },
      ...(name === 'app' && { sdk: `${siteOrigin}/gantry/osapi.js` }),
    });
    return htmlResponse(document, headers);
  }

  return async (request) => {
    const { origin, pathname } = ownUrl(request, origins);
    const [, kind = '', name = '', ...more] = pathname.slice(root.length).split('/');
    if (more.length > 0) throw nothingThere();
    if (kind === 'apps') return withoutBody(request, await probeDocument(origin, name));
    if (!origins.includes(origin) && pathname === root) return Response.redirect(siteOrigin + root); // another name of this machine
    if (origin !== siteOrigin) throw nothingThere();
    if (pathname === root) {
      const tellsPurpose = request.headers.has('sec-fetch-dest');
      return withoutBody(
        request,
        pageResponse(selfTestPage({ setup: { ...setup, tellsPurpose }, siteOrigin, origins })),
      );
    }
    if (pathname === `${root}/page.js`) return pageScript(request);
    if (pathname === `${root}/narrow`) {
      return withoutBody(request, pageResponse(narrowPage({ siteOrigin, origins, root })));
    }
    const heard = kind === 'heard' ? heardFile(name) : undefined;
    if (heard) return withoutBody(request, heard);
    throw nothingThere();
  };
}

/** The request's address with the public origin that it was made to: behind a reverse proxy it says `http:` for `https:`. */
function ownUrl({ url }: Request, origins: readonly string[]): { readonly origin: string; readonly pathname: string } {
  const { host, origin, pathname } = new URL(url);
  return { pathname, origin: origins.find((one) => new URL(one).host === host) ?? origin };
}

function pageResponse({ html, policy }: { readonly html: string; readonly policy: string }): Response {
  return htmlResponse(html, {
    ...privateHeaders,
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
}

function htmlResponse(html: string, headers: Record<string, string>): Response {
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}

function withoutBody({ method }: Request, response: Response): Response {
  return method === 'HEAD' ? new Response(null, response) : response;
}

async function readProbe(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new SocialError('NOT_FOUND', 'The self-test has not been built: run npm run build.', { cause });
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function nothingThere(): SocialError {
  return new SocialError('NOT_FOUND', 'There is nothing at this address.');
}
