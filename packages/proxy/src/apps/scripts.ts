import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { isPassingFault } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { isUnchanged } from '../http/responses.ts';

/**
 * Serves `GET|HEAD /gantry/chunks/<name>`: lazily loaded parts of the container's script. Their
 * names change with their content, so browsers cache them.
 *
 * @throws SocialError NOT_FOUND for an unknown file.
 */
export function serveChunks(folder: string): (request: Request) => Promise<HttpResponse> {
  const served = new Map<string, ReturnType<typeof serveScript>>();

  return async (request) => {
    const name = new URL(request.url).pathname.slice('/gantry/chunks/'.length);
    if (!/^[\w-]+\.js$/.test(name)) throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
    const serve = served.get(name) ?? serveScript(join(folder, name), 'public, max-age=31536000, immutable');
    const response = await serve(request);
    served.set(name, serve); // after the response, which proves that the file exists
    return response;
  };
}

/**
 * Serves one built script, which is read and compressed whenever the file has changed.
 *
 * @throws SocialError NOT_FOUND if the file has not been built.
 */
export function serveScript(file: string, cache = 'no-cache'): (request: Request) => Promise<HttpResponse> {
  let latest: ReturnType<typeof load> | undefined;

  async function current(): ReturnType<typeof load> {
    const { mtimeMs } = await stat(file);
    const script = await latest;
    if (script?.modifiedMs === mtimeMs) return script;
    latest = load(file, mtimeMs);
    latest.catch(() => {
      latest = undefined;
    });
    return latest;
  }

  return async (request) => {
    const { digest, bodies } = await current().catch((cause) => {
      if (isPassingFault(cause)) throw cause;
      throw new SocialError('NOT_FOUND', 'This script has not been built: run npm run build.', { cause });
    });
    const encoding = preferredEncoding(request.headers.get('accept-encoding') ?? '');
    const etag = `"${digest}-${encoding}"`;
    const headers = {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': cache,
      ETag: etag,
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*', // module scripts of an opaque frame are cross-origin requests
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    };
    if (isUnchanged(request, etag)) return { status: 304, headers, body: null };
    return { status: 200, headers, body: bodies[encoding] };
  };
}

async function load(file: string, modifiedMs: number) {
  const identity = await readFile(file);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  const digest = hash('sha256', identity, 'base64url').slice(0, 22);
  return { modifiedMs, digest, bodies: { br, gzip: zipped, identity } };
}

function preferredEncoding(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .split(',')
    .flatMap((item) => (/;\s*q=0(\.0*)?\s*$/.test(item) ? [] : [item.split(';')[0]?.trim()]));
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity';
}
