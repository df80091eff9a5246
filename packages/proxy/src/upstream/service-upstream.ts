import type { HttpRequest, HttpResponse, UnsignedRead } from '@gantry/wire';
import type { Upstream, UpstreamRequest } from './upstream.ts';

/** The part of a service in this process that the proxy calls. */
export interface LocalService {
  answer(request: HttpRequest): Promise<HttpResponse>;
  /** Answers a read without a signature; `undefined` if a signed request has to decide. */
  answerUnsigned(read: UnsignedRead): Promise<HttpResponse | undefined>;
}

/**
 * Makes an upstream of a service in this process, without connections or streams, and without
 * signatures for reads (docs/decisions/0022-the-proxys-cache.md).
 */
export function createServiceUpstream(service: LocalService): Upstream {
  return async (request) => {
    const unsigned = request.read && (await service.answerUnsigned(request.read));
    const answer = unsigned ?? (await service.answer(signedOf(request)));
    return {
      status: answer.status,
      text: typeof answer.body === 'string' ? answer.body : '', // the API returns text only
      retryAfter: answer.headers['Retry-After'],
      etag: answer.headers.ETag,
      cacheControl: answer.headers['Cache-Control'],
    };
  };
}

function signedOf({ method, url, rawTarget, headers, body }: UpstreamRequest): HttpRequest {
  return {
    method,
    rawTarget,
    host: url.slice(url.indexOf('://') + 3, url.length - rawTarget.length),
    header: (name) => headers[name],
    body: body === undefined ? undefined : Buffer.from(body),
  };
}
