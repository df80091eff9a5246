import type { Upstream } from './upstream.ts';

/** What the proxy needs of a service in this process. */
export interface LocalService {
  answer(incoming: {
    readonly method: string;
    readonly rawTarget: string;
    readonly host: string;
    header(name: string): string | undefined;
    readonly body: Uint8Array | undefined;
  }): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | Uint8Array | null;
  }>;
}

/** The service in this process as the site behind the proxy: no connection, no copies of headers, no streams. */
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
      text: typeof answer.body === 'string' ? answer.body : '', // what the API answers is text
      retryAfter: answer.headers['Retry-After'],
      etag: answer.headers.ETag,
      cacheControl: answer.headers['Cache-Control'],
    };
  };
}
