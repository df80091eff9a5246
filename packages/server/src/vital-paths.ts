import { metricsAnswer } from './metrics-answer.ts';
import type { Telemetry } from './telemetry.ts';

/** Answers what those ask who watch a server: `/healthz`, `/readyz` and `/metrics`, by whatever name they reach it. */
export function createVitalPaths(options: {
  readonly readiness: () => Promise<Response>;
  readonly url: string;
  readonly telemetry: Telemetry;
  readonly metricsToken: string | undefined;
}): (request: Request, path: string) => Promise<Response> | undefined {
  const { readiness, url, telemetry, metricsToken } = options;

  return (request, path) => {
    if (path === '/healthz') return Promise.resolve(Response.json({ status: 'ok' })); // whoever watches may know only an IP address
    if (path === '/readyz') return readiness();
    if (path !== '/metrics') return undefined;
    const { metrics, contexts } = telemetry;
    return metricsAnswer(request, contexts.getStore(), { metrics, url, token: metricsToken });
  };
}
