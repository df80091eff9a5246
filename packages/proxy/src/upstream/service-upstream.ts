import type { HttpRequest, HttpResponse } from '@gantry/wire';
import type { Upstream } from './upstream.ts';

/** The part of a service in this process that the proxy calls. */
export interface LocalService {
  answer(request: HttpRequest): Promise<HttpResponse>;
}

/**
 * Makes an upstream of a service in this process, without connections or streams.
 *
 * @example
 * const service = { answer: async () => ({ status: 200, headers: {}, body: '{}' }) };
 * const upstream = createServiceUpstream(service);
 * const [origin, rawTarget] = ['http://site.example', '/people'];
 * const request = { method: 'GET', url: origin + rawTarget, rawTarget, headers: {} } as const;
 * (await upstream(request, { deadlineMs: 1_000 })).text; // '{}'
 */
export function createServiceUpstream(service: LocalService): Upstream {
  return async ({ method, url, rawTarget, headers, body }) => {
    const answer = await service.answer({
      method,
      rawTarget,
      host: url.slice(url.indexOf('://') + 3, url.length - rawTarget.length),
      header: (name) => headers[name],
      body: body === undefined ? undefined : Buffer.from(body),
    });
    return {
      status: answer.status,
      text: typeof answer.body === 'string' ? answer.body : '', // the API returns text only
      retryAfter: answer.headers['Retry-After'],
      etag: answer.headers.ETag,
      cacheControl: answer.headers['Cache-Control'],
    };
  };
}
