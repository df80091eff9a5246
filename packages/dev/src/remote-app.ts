import { idOf } from '@gantry/lab/host';
import { problem } from '@gantry/lab/record';
import { checkManifest, type Manifest } from '@gantry/proxy';
import { UsageError } from '@gantry/server';

/** An app that a server of its own serves: that of a bundler. */
export interface RemoteApp {
  readonly id: string;
  /** Absolute URL of its page. */
  readonly url: string;
  readonly manifest: Manifest;
}

type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

const deadlineMs = 5_000;

/**
 * Requests all that a gadget's frame needs from a dev server, as a frame does: with `Origin: null`.
 *
 * @param address Origin, or the address of a folder of the server.
 * @throws UsageError that says what is in the way, with the line to write.
 */
export async function openRemoteApp(address: string, fetch: Fetch = globalThis.fetch): Promise<RemoteApp> {
  const base = new URL(address.endsWith('/') ? address : `${address}/`);
  const ask = async (url: URL): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(deadlineMs);
      return await fetch(url, {
        headers: { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
        signal,
        redirect: 'manual',
      });
    } catch (cause) {
      throw new UsageError(`Nothing answers at ${url.origin}. Start its server first, for example with npm run dev.`, {
        cause,
      });
    }
  };
  const manifest = await readRemoteManifest(base, ask);
  const page = new URL(manifest.page, base);
  const answer = await ask(page);
  if (!answer.ok) {
    throw new UsageError(
      `${page.href} answers ${answer.status}. gadget.json names it as page: name the file that the server has.`,
    );
  }
  checkFraming(page, answer.headers);
  const html = await answer.text();
  const scripts = scriptsOf(html, page);
  await checkSdk(scripts, page, ask);
  for (const { url } of scripts.filter(({ isModule }) => isModule).slice(0, 5)) await checkScript(url, page, ask);
  return { id: idOf(manifest.name), url: page.href, manifest };
}

async function readRemoteManifest(base: URL, ask: (url: URL) => Promise<Response>): Promise<Manifest> {
  const url = new URL('gadget.json', base);
  const answer = await ask(url);
  const isPage = answer.headers.get('content-type')?.includes('html') ?? false; // a bundler's fallback page
  if (!answer.ok || isPage) {
    throw new UsageError(`${url.href} is missing. Put gadget.json into the folder public of the project.`);
  }
  let json: unknown;
  try {
    json = await answer.json();
  } catch (cause) {
    throw new UsageError(`${url.href} is not JSON.`, { cause });
  }
  try {
    return checkManifest(json);
  } catch (error) {
    throw new UsageError(`${url.href}: ${(error as Error).message}`, { cause: error });
  }
}

function checkFraming(page: URL, headers: Headers): void {
  const ancestors = /(?:^|[;,])\s*frame-ancestors([^;,]*)/i.exec(headers.get('content-security-policy') ?? '')?.[1];
  if (ancestors !== undefined && !/\*(?=\s|$)/.test(ancestors)) {
    throw new UsageError(
      `${page.href} has a Content-Security-Policy with frame-ancestors${ancestors}: it may stand in no gadget. In development leave frame-ancestors out.`,
    );
  }
  if (headers.has('x-frame-options')) {
    throw new UsageError(
      `${page.href} has X-Frame-Options: it may stand in no gadget. In development leave the header out.`,
    );
  }
}

/** Frames of gadgets have an opaque origin, so module scripts are cross-origin requests. */
async function checkScript(script: URL, page: URL, ask: (url: URL) => Promise<Response>): Promise<void> {
  const isOwn = script.origin === page.origin;
  const answer = await ask(script).catch((cause: unknown) => {
    if (isOwn) throw cause;
    throw new UsageError(
      `The page loads ${script.href}, where nothing answers. With Vite write in vite.config: server: { origin: '${page.origin}' }`,
      { cause },
    );
  });
  await answer.body?.cancel();
  const allowed = answer.headers.get('access-control-allow-origin');
  if (allowed === '*' || allowed === 'null') return;
  throw new UsageError(
    `${script.href} is not readable by a gadget, whose frame has no origin. With Vite write in vite.config: server: { cors: { origin: '*' } }. Other servers: send Access-Control-Allow-Origin: *`,
  );
}

/** Only sites serve the SDK at its address: other servers have a file of their own, or a bundle. */
async function checkSdk(scripts: readonly Script[], page: URL, ask: (url: URL) => Promise<Response>): Promise<void> {
  const { href } = new URL('/gantry/osapi.js', page);
  if (!scripts.some(({ url }) => url.href === href)) return;
  const answer = await ask(new URL(href));
  await answer.body?.cancel();
  if (answer.ok && /script/.test(answer.headers.get('content-type') ?? '')) return;
  const { cure, example } = problem('no-sdk', { isRemote: true });
  throw new UsageError(`${href} is missing. ${cure} ${example}`);
}

interface Script {
  readonly url: URL;
  readonly isModule: boolean;
}

function scriptsOf(html: string, page: URL): readonly Script[] {
  return [...html.matchAll(/<script\b[^<>]*>/gi)].flatMap(([tag]) => {
    const source = /\bsrc\s*=\s*["']([^"']+)["']/i.exec(tag)?.[1] ?? '';
    if (source === '' || !URL.canParse(source, page.href)) return [];
    return [{ url: new URL(source, page), isModule: /type\s*=\s*["']?module/i.test(tag) }];
  });
}
