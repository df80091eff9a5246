import { hash } from 'node:crypto';
import type { HttpResponse } from '@gantry/wire';
import { privateHeaders } from '../http/responses.ts';

/** The headers that {@link opensOutsideIframe} reads, for `Vary`. */
export const iframeOnlyVary = 'Sec-Fetch-Dest, Sec-Fetch-Mode';

const otherNavigations: ReadonlySet<string> = new Set(['document', 'frame', 'embed', 'object', 'fencedframe']);

/**
 * Returns whether a browser is about to show a document outside of an iframe, such as in a tab
 * (security rule 27).
 *
 * Browsers send these headers to https and localhost only. Without them, requests pass, as do
 * subresources and clients other than browsers.
 */
export function opensOutsideIframe({ headers }: Request): boolean {
  const destination = headers.get('sec-fetch-dest');
  if (destination === null || destination === 'iframe') return false;
  return otherNavigations.has(destination) || headers.get('sec-fetch-mode') === 'navigate';
}

/** Builds the 403 page shown instead of a document. It holds no text of the app. */
export function outsideIframePage(siteOrigin: string): HttpResponse {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>This app has no page of its own</title>
<style>${style}</style>
<h1>This app has no page of its own</h1>
<p>It runs inside pages of <a href="${siteOrigin}/">${new URL(siteOrigin).host}</a>, where you see what it may do.</p>
</html>
`;
  return {
    status: 403,
    headers: {
      ...privateHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      Vary: iframeOnlyVary,
    },
    body: html,
  };
}

const style = `
  body { max-inline-size: 34rem; margin: 15vh auto; padding: 0 1.25rem; font: 1.0625rem / 1.6 system-ui, sans-serif; }
  h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
  p { margin: 0; }
`;
const styleHash = `sha256-${hash('sha256', style, 'base64')}`;
