/** State of `/healthz` and `/readyz` while the server starts and stops. */
export interface Health {
  state: 'starting' | 'ready' | 'draining';
  /** Returns a response that needs no stores; `undefined` for all other requests. */
  respond(rawTarget: string): Response | undefined;
}

export function createHealth(): Health {
  return {
    state: 'starting',
    respond(rawTarget) {
      if (rawTarget === '/healthz') return Response.json({ status: 'ok' });
      if (rawTarget !== '/readyz' || this.state === 'ready') return undefined;
      return Response.json({ status: this.state }, { status: 503, headers: { 'Retry-After': '1' } });
    },
  };
}
