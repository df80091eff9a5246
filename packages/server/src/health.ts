/** What `/healthz` and `/readyz` say before and after the time in which only the stores matter. */
export interface Health {
  state: 'starting' | 'ready' | 'draining';
  /** Answers what can be answered here; `undefined` leaves the rest to whoever knows the stores. */
  answer(rawTarget: string): Response | undefined;
}

export function createHealth(): Health {
  return {
    state: 'starting',
    answer(rawTarget) {
      if (rawTarget === '/healthz') return Response.json({ status: 'ok' });
      if (rawTarget !== '/readyz' || this.state === 'ready') return undefined;
      return Response.json({ status: this.state }, { status: 503, headers: { 'Retry-After': '1' } });
    },
  };
}
