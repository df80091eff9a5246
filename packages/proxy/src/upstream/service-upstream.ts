import type { HttpRequest, HttpResponse } from '@gantry/wire';
import type { Upstream } from './upstream.ts';

/** The part of a service in this process that the proxy calls. */
export interface LocalService {
  answer(request: HttpRequest): Promise<HttpResponse>;
}

/** Makes an upstream of a service in this process, without connections or streams. */
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
