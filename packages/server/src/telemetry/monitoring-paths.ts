import { metricsResponse } from './metrics-response.ts';
import type { Telemetry } from './telemetry.ts';

/** Paths for monitors, on any host name: a monitor may know only an IP address. */
export const monitoringPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export function createMonitoringPaths(options: {
  readonly readiness: () => Promise<Response>;
  readonly url: string;
  readonly telemetry: Telemetry;
  readonly metricsToken: string | undefined;
}): (request: Request, path: string) => Promise<Response> {
  const { readiness, url, telemetry, metricsToken } = options;

  return async (request, path) => {
    if (path === '/healthz') return Response.json({ status: 'ok' });
    if (path === '/readyz') return readiness();
    const { metrics, contexts } = telemetry;
    return metricsResponse(request, contexts.getStore(), { metrics, url, token: metricsToken });
  };
}

/** State of `/healthz` and `/readyz` while the server starts and stops. */
export function createHealth() {
  return {
    state: 'starting' as 'starting' | 'ready' | 'draining',
    /** Returns a response that needs no stores; `undefined` for all other requests. */
    respond(rawTarget: string): Response | undefined {
      if (rawTarget === '/healthz') return Response.json({ status: 'ok' });
      if (rawTarget !== '/readyz' || this.state === 'ready') return undefined;
      return Response.json({ status: this.state }, { status: 503, headers: { 'Retry-After': '1' } });
    },
  };
}
