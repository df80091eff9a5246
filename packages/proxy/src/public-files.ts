import { dirname, join } from 'node:path';
import { isBelow, SocialError } from '@gantry/wire';
import { type AppDocumentOptions, createAppDocuments } from './apps/app-documents.ts';
import { schemaResponse } from './apps/manifest-schema.ts';
import { serveChunks, serveScript } from './apps/scripts.ts';
import type { ProxyOptions } from './proxy-options.ts';

/**
 * Serves `GET|HEAD` below `/gantry/`: app documents, scripts, the manifest's schema and, where the
 * site has one, the self-test. Rejects with SocialError to refuse.
 */
export function createPublicFiles(
  options: AppDocumentOptions & Pick<ProxyOptions, 'scripts' | 'selfTest'>,
): (request: Request, path: string) => Promise<Response> {
  const { scripts, selfTest } = options;
  const documents = createAppDocuments(options);
  const osapiScript = serveScript(scripts.osapi);
  const containerScript = serveScript(scripts.container);
  const chunks = serveChunks(join(dirname(scripts.container), 'chunks'));

  return async (request, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'Use GET.', { allow: ['GET', 'HEAD'] });
    }
    if (path.startsWith('/gantry/apps/')) return documents(request);
    if (path === '/gantry/manifest.schema.json') return schemaResponse(request);
    if (path === '/gantry/osapi.js') return osapiScript(request);
    if (path === '/gantry/container.js') return containerScript(request);
    if (path.startsWith('/gantry/chunks/')) return chunks(request);
    if (selfTest && isBelow(['/gantry/self-test'], path)) return selfTest(request);
    throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
  };
}
