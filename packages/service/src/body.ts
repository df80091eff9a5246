import { SocialError } from '@gantry/wire';
import { type Incoming, maxBody } from './exchange.ts';
import { type Json, readJson } from './read-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request's body, up to its limit. `undefined` for none, and for an empty one.
 *
 * @throws SocialError TOO_LARGE
 */
export async function readBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return undefined;
  if (Number(request.headers.get('content-length') ?? 0) > maxBody) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.length;
    if (size > maxBody) throw tooLarge();
    chunks.push(chunk);
  }
  return size === 0 ? undefined : Buffer.concat(chunks, size);
}

function tooLarge(): SocialError {
  return new SocialError('TOO_LARGE', `A body has at most ${maxBody} bytes.`);
}

/**
 * Parses the body of a write (contract §2).
 *
 * @throws SocialError UNSUPPORTED_MEDIA_TYPE for another type, charset or encoding than JSON in UTF-8, BAD_REQUEST for a
 * body that is empty or malformed.
 */
export function parseBody({ header, body }: Pick<Incoming, 'header' | 'body'>): Json {
  const [type = '', ...parameters] = (header('content-type') ?? '').split(';').map((part) => part.trim());
  if (body !== undefined) checkType(header, type, parameters);
  if (body === undefined) throw new SocialError('BAD_REQUEST', 'The request needs a JSON body.');
  return readJson(decode(body));
}

function checkType(header: Incoming['header'], type: string, parameters: readonly string[]): void {
  const encoding = header('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
  if (later.includes(type.toLowerCase())) {
    throw new SocialError('NOT_IMPLEMENTED', 'This version reads JSON bodies only: send application/json.');
  }
  const charset = parameters.find((parameter) => /^charset\s*=/i.test(parameter));
  const isUtf8 = charset === undefined || /^charset\s*=\s*"?utf-?8"?$/i.test(charset);
  if (type.toLowerCase() !== 'application/json' || !isUtf8) {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json, in UTF-8.');
  }
}

const later = ['application/xml', 'text/xml', 'application/atom+xml'];

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', 'The body is not UTF-8.', { cause });
  }
}
