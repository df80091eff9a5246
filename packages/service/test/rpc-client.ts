import { signRequest } from '@gantry/oauth';
import { publicUrl, type Site } from './site.ts';

export interface RpcOptions {
  /** Default: `/social/rpc`. */
  readonly path?: string;
  /** Appended to the path, for example `?a=b`. */
  readonly query?: string;
  /** Requestor in the header; `null` sends none. */
  readonly as?: string | null;
  readonly key?: string;
  readonly type?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs the hash of the body too. */
  readonly bodyHash?: boolean;
  readonly signed?: boolean;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** One reply, or those of a batch. */
  readonly json: RpcReply & readonly RpcReply[];
}

export interface RpcReply {
  readonly id?: string | number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

let nonces = 0;

/**
 * Sends a body for member 1 with the container key of `notes`: a value as JSON, or text unchanged.
 */
export async function rpc(site: Site, body: unknown, options: RpcOptions = {}): Promise<RpcAnswer> {
  const { path = '/social/rpc', query = '', as = '1', key = 'notes-container', type = 'application/json' } = options;
  const { method = 'POST', headers = {}, bodyHash = false, signed = true } = options;
  const target = path + query;
  const sent = typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
  const { authorization } = signRequest({
    method,
    url: publicUrl + target,
    consumer: { key, secret: 'secret' },
    ...(as !== null && { parameters: [['xoauth_requestor_id', as]] }),
    ...(bodyHash && { body: sent }),
    timestamp: Math.floor(site.nowMs / 1000),
    nonce: `rpc${++nonces}`,
  });
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const request = new Request(publicUrl + target, {
    method,
    headers: {
      ...(signed && { authorization }),
      ...(type !== null && hasBody && { 'content-type': type }),
      ...headers,
    },
    ...(hasBody && { body: sent }),
  });
  const response = await site.service.handle(request, target);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === '' ? [] : JSON.parse(text) };
}

/** Returns the reply to one call. */
export async function call(site: Site, method: string, params?: unknown, options?: RpcOptions): Promise<RpcReply> {
  return (await rpc(site, { method, id: 'x', ...(params !== undefined && { params }) }, options)).json;
}
