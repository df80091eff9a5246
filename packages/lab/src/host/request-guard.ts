import type { IncomingMessage } from 'node:http';

/**
 * Returns the reason to refuse a request, or `undefined`.
 *
 * Other sites in the same browser can send requests to this machine: through a domain of theirs
 * that resolves to it (`Host` differs), or from their own pages (`Sec-Fetch-Site` and `Origin`
 * show it). Other clients send none of these headers.
 *
 * @param path Decoded as the URL parser does it.
 * @param tool.name Name in refusals. Default: `gantry dev`.
 * @param tool.own Prefix of paths that only pages of this origin may read. Default: `/dev/`.
 */
export function refusalOf(
  incoming: IncomingMessage,
  path: string,
  port: number,
  { name = 'gantry dev', own = '/dev/' }: { readonly name?: string; readonly own?: string } = {},
): string | undefined {
  const { host, origin } = incoming.headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return `${name} answers at http://127.0.0.1:${port} and http://localhost:${port} only.`;
  }
  const isOwn = path.startsWith(own);
  const isWrite = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  if (!isOwn && !isWrite) return undefined;
  const site = incoming.headers['sec-fetch-site'];
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
  const isSameOrigin = origin === undefined || origin === `http://${host}`;
  return isSameSite && isSameOrigin ? undefined : `This is for pages of ${name} alone.`;
}

/** Returns whether a browser navigates to the response as a top-level page. */
export function isTopLevel({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'document';
}

/**
 * Returns headers for the tool's own responses: no other site may frame, embed or read them.
 *
 * @param options.host As the request has it, checked.
 * @param options.remote Origins of apps that have servers of their own.
 */
export function pageHeaders({ host, remote }: { readonly host: string; readonly remote: readonly string[] }) {
  const self = `http://${host}`;
  const policy = [
    "default-src 'none'",
    `script-src ${self}`,
    `style-src 'unsafe-inline' ${self}`,
    `img-src data: blob: ${self}`,
    `font-src ${self}`,
    `connect-src ${self} ws://${host}`,
    `frame-src ${[self, ...remote].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
}
