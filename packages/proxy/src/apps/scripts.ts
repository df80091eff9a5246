import { join } from 'node:path';
import { openFile } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { createFileResponses, immutable, type RespondWithFile } from '../http/file-responses.ts';
import { contentTypeOf } from './content-types.ts';

/**
 * Serves `GET|HEAD /gantry/chunks/<name>`: lazily loaded parts of the container's script. Their
 * names change with their content, so browsers cache them.
 *
 * @throws SocialError NOT_FOUND for an unknown file.
 */
export function serveChunks(folder: string, respond: RespondWithFile): (request: Request) => Promise<HttpResponse> {
  return async (request) => {
    const name = new URL(request.url).pathname.slice('/gantry/chunks/'.length);
    if (!/^[\w-]+\.js$/.test(name)) throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
    return serveScript(join(folder, name), { respond, caching: immutable })(request);
  };
}

/**
 * Serves one built script.
 *
 * @throws SocialError NOT_FOUND if the file has not been built.
 */
export function serveScript(
  path: string,
  {
    respond = createFileResponses(),
    caching = 'no-cache',
  }: { readonly respond?: RespondWithFile; readonly caching?: string } = {},
): (request: Request) => Promise<HttpResponse> {
  return async (request) => {
    const file = await openFile(path);
    if (file === undefined) throw new SocialError('NOT_FOUND', 'This script has not been built: run npm run build.');
    const sent = { ...file, version: `${path} ${file.version}`, contentType: contentTypeOf(path) };
    return respond(request, sent, {
      'Cache-Control': caching,
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*', // module scripts of an opaque frame are cross-origin requests
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  };
}
