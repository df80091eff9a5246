import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type AppAddresses, appHeaders, sandboxOf, serveScript } from '@gantry/proxy';
import { isPassingFault } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { heardFile } from './heard.ts';
import { narrowPage, selfTestPage } from './page.ts';
import { appDocument, strangerHeaders } from './probes.ts';

const root = '/gantry/self-test';

const builtScripts = {
  page: fileURLToPath(new URL('../../../dist/self-test-scripts/page.js', import.meta.url)),
  probe: fileURLToPath(new URL('../../../dist/self-test-scripts/probe.js', import.meta.url)),
};

/**
 * Serves `GET|HEAD /gantry/self-test`: a page that tests, in the visitor's browser, whether apps of
 * this site are isolated. It mounts probes on the origins and with the headers of apps, and they
 * try to break out (ADR 24).
 *
 * It is public, reveals only the origins of apps, as every page with a gadget does, and keeps
 * nothing. A probe's request is answered and forgotten; the page learns from the answer (ADR 24).
 *
 * @param options.scripts Built scripts of the page and its probes.
 */
export function createSelfTest(options: {
  readonly siteOrigin: string;
  readonly mediaOrigins: readonly string[];
  readonly addresses: AppAddresses;
  readonly scripts?: typeof builtScripts;
}): (request: Request) => Promise<HttpResponse> {
  const { siteOrigin, mediaOrigins, addresses, scripts = builtScripts } = options;
  const pageScript = serveScript(scripts.page);
  const { ownHosts } = addresses;
  // Two apps, with the origins that any apps of this site would have.
  const first = addresses.originOf('gantry-self-test');
  const second = addresses.originOf('gantry-self-test-sibling');
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

  // Apps have probes on the origins of apps, the control on the site's own.
  function probeHeaders(origin: string, name: string): Record<string, string> | undefined {
    const site = { documentOrigin: origin, siteOrigin, mediaOrigins, hosts: [], ownHost: ownHosts };
    // Unrestricted, but framed by this site only.
    if (name === 'bare' && origin === siteOrigin) return { 'Content-Security-Policy': `frame-ancestors ${siteOrigin}` };
    if (origin === siteOrigin && ownHosts) return undefined;
    if (name === 'app') return appHeaders({ ...site, storage: false });
    if (name === 'stranger') return strangerHeaders({ siteOrigin, ownHost: ownHosts });
    if (name === 'keeper' && ownOrigins) return appHeaders({ ...site, storage: true });
    return undefined;
  }

  async function probeDocument(origin: string, name: string): Promise<HttpResponse> {
    const headers = origins.includes(origin) ? probeHeaders(origin, name) : undefined;
    if (!headers) throw nothingThere();
    const document = appDocument({
      script: await readProbe(scripts.probe),
      setup: { heard: setup.heard },
      ...(name === 'app' && { sdk: `${siteOrigin}/gantry/osapi.js` }),
    });
    return htmlResponse(document, headers);
  }

  async function answer(request: Request): Promise<HttpResponse> {
    const { origin, pathname } = ownUrl(request, origins);
    const [, kind = '', name = '', ...more] = pathname.slice(root.length).split('/');
    if (more.length > 0) throw nothingThere();
    if (kind === 'apps') return probeDocument(origin, name);
    if (!origins.includes(origin) && pathname === root) return redirect(siteOrigin + root); // another host name of this server
    if (origin !== siteOrigin) throw nothingThere();
    if (pathname === root) {
      const tellsPurpose = request.headers.has('sec-fetch-dest');
      return pageResponse(selfTestPage({ setup: { ...setup, tellsPurpose }, siteOrigin, origins }));
    }
    if (pathname === `${root}/page.js`) return pageScript(request);
    if (pathname === `${root}/narrow`) return pageResponse(narrowPage({ siteOrigin, origins, root }));
    const heard = kind === 'heard' ? heardFile(name) : undefined;
    if (heard) return heard;
    throw nothingThere();
  }

  return answer;
}

function redirect(location: string): HttpResponse {
  return { status: 302, headers: { Location: location }, body: null };
}

/** Returns the public origin of a request: behind a reverse proxy, its URL may say `http:`. */
function ownUrl({ url }: Request, origins: readonly string[]): { readonly origin: string; readonly pathname: string } {
  const { host, origin, pathname } = new URL(url);
  return { pathname, origin: origins.find((one) => new URL(one).host === host) ?? origin };
}

function pageResponse({ html, policy }: { readonly html: string; readonly policy: string }): HttpResponse {
  return htmlResponse(html, {
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
}

function htmlResponse(html: string, headers: Record<string, string>): HttpResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
    body: html,
  };
}

async function readProbe(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (isPassingFault(cause)) throw cause;
    throw new SocialError('NOT_FOUND', 'The self-test has not been built: run npm run build.', { cause });
  }
}

function nothingThere(): SocialError {
  return new SocialError('NOT_FOUND', 'There is nothing at this address.');
}
