import { dirname, join } from 'node:path';
import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { AppAddresses } from './apps/app-addresses.ts';
import { createAppDocuments } from './apps/app-documents.ts';
import type { DocumentSource } from './apps/document-source.ts';
import { schemaResponse } from './apps/manifest-schema.ts';
import { serveChunks, serveScript } from './apps/scripts.ts';
import type { ProxyOptions } from './proxy-options.ts';

/**
 * Serves `GET|HEAD` below `/gantry/`: app documents, scripts, the manifest's schema and, where the
 * site has one, the self-test. Rejects with SocialError to refuse.
 */
export function createPublicFiles(options: {
  readonly db: Database;
  readonly siteOrigin: string;
  readonly mediaOrigins: readonly string[];
  readonly addresses: AppAddresses;
  readonly source: DocumentSource;
  readonly scripts: ProxyOptions['scripts'];
  readonly selfTest: ProxyOptions['selfTest'];
}): (request: Request, path: string) => Promise<Response> {
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
    if (selfTest && isSelfTest(path)) return selfTest(request);
    throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
  };
}

function isSelfTest(path: string): boolean {
  return path === '/gantry/self-test' || path.startsWith('/gantry/self-test/');
}
