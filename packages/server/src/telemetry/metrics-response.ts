import { createHash, timingSafeEqual } from 'node:crypto';
import { SocialError } from '@gantry/wire';
import type { RequestContext } from '../edge/request-context.ts';
import { isLoopback } from '../setup/ip-addresses.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsAccess {
  /** Public address of the site. */
  readonly url: string;
  /** Token of `Authorization: Bearer`. Absent: only this machine may read. */
  readonly token: string | undefined;
}

/**
 * Returns the response for `/metrics`. With a token, requests that send it are allowed. Without,
 * only processes of this machine, and only if the site itself is local: a reverse proxy on this
 * machine looks the same as they do. @throws SocialError UNAUTHORIZED or FORBIDDEN
 */
export async function metricsResponse(
  request: Request,
  context: RequestContext | undefined,
  options: MetricsAccess & { readonly metrics: Metrics },
): Promise<Response> {
  requireReader(request, context, options);
  if (request.method !== 'GET') throw new SocialError('METHOD_NOT_ALLOWED', 'Use GET.', { allow: ['GET'] });
  const { metrics } = options;
  const headers = {
    'Content-Type': metrics.contentType,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(await metrics.text(), { headers });
}

function requireReader(request: Request, context: RequestContext | undefined, { url, token }: MetricsAccess): void {
  if (token !== undefined) {
    if (isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`)) return;
    throw new SocialError('UNAUTHORIZED', 'Send the metrics token as Authorization: Bearer.');
  }
  const isLocalSite = isLocalHost(new URL(url).hostname);
  // The requested name counts too: a page elsewhere can point its own name at this machine.
  const isLocalAsk = isLocalHost(new URL(request.url).hostname) && isLoopback(context?.client.address ?? '');
  if (!isLocalSite || !isLocalAsk || context?.client.isForwarded) {
    throw new SocialError('FORBIDDEN', 'Metrics of a public site need a token: set GANTRY_METRICS_TOKEN.');
  }
}

function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || isLoopback(hostname);
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
