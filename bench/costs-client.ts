import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { signRequest } from '@gantry/oauth';
import type { Prepared } from './http.ts';

export interface Answered {
  /** 0 if the connection broke before the whole response arrived. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Signature {
  readonly consumer: { readonly key: string; readonly secret: string };
  /** Member for whom a key of an app speaks. */
  readonly as?: string;
}

/**
 * Signs a request but leaves out the form's fields: the measured work precedes signature checks.
 */
export function signed(
  { consumer, as }: Signature,
  { url, method, headers, ...rest }: Omit<Prepared, 'headers'> & Partial<Pick<Prepared, 'headers'>>,
): Prepared {
  const { authorization } = signRequest({
    url,
    method,
    consumer,
    ...(as !== undefined && { parameters: [['xoauth_requestor_id', as]] }),
    timestamp: Math.floor(Date.now() / 1_000),
    nonce: crypto.randomUUID(),
  });
  return { url, method, ...rest, headers: { ...headers, Authorization: authorization } };
}

/** Opens a connection of its own and resolves with the response's headers. */
export function open({ url, method, headers, body }: Prepared): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    request(url, { method, headers: { ...headers, ...length }, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
}

export async function send(prepared: Prepared): Promise<Answered> {
  try {
    const answer = await open(prepared);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  } catch {
    return { status: 0, headers: {}, text: '' };
  }
}

/** Sends these with limited concurrency and resolves with the responses in order. */
export async function sendAll(list: readonly Prepared[], atOnce: number): Promise<Answered[]> {
  const answers: Answered[] = [];
  const entries = list.entries(); // shared: each client takes the next
  const client = async () => {
    for (const [index, one] of entries) answers[index] = await send(one);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return answers;
}
