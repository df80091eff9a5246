import { type NextRequest, NextResponse } from 'next/server';
import { url } from './site/address.ts';

/**
 * Adds the policy of the site's pages. Next puts the nonce on its own inline scripts. Scripts are
 * named by path, because `'self'` would admit files of apps.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const scripts = ['/_next/static/', '/gantry/container.js', '/gantry/chunks/'].map((path) => url + path);
  const isDev = process.env.NODE_ENV === 'development';
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' ${scripts.join(' ')}${isDev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self'${isDev ? " 'unsafe-inline'" : ''}`,
    `frame-src ${url}/gantry/apps/`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const headers = new Headers(request.headers);
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('X-Content-Type-Options', 'nosniff');
  return response;
}

export const config = { matcher: '/((?!_next/).*)' };
