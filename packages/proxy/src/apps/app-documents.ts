import type { Database } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import type { RespondWithFile } from '../http/file-responses.ts';
import type { AppAddresses } from './app-addresses.ts';
import { appHeaders } from './document-headers.ts';
import { type DocumentSource, noSuchFile } from './document-source.ts';
import { cachingOf } from './file-caching.ts';
import { iframeOnlyVary, opensOutsideIframe, outsideIframePage } from './refuse-outside-iframe.ts';
import { findApp } from './registrations.ts';

/**
 * Serves `GET|HEAD /gantry/apps/<id>/<file…>` with the headers of security rule 5. Refuses to show
 * a document outside of an iframe (rule 27).
 */
export function createAppDocuments(options: {
  readonly db: Database;
  readonly siteOrigin: string;
  readonly mediaOrigins: readonly string[];
  readonly addresses: AppAddresses;
  readonly source: DocumentSource;
  readonly respond: RespondWithFile;
}): (request: Request) => Promise<HttpResponse> {
  const { db, siteOrigin, mediaOrigins, addresses, source, respond } = options;

  return async (request) => {
    if (opensOutsideIframe(request)) return outsideIframePage(siteOrigin); // before any 304
    const { host, pathname, search } = new URL(request.url);
    const [encodedId = '', ...path] = pathname.slice('/gantry/apps/'.length).split('/');
    const id = encodedId.replaceAll('%3A', ':'); // the only character of ids that documentOf encodes
    const app = await findApp(db, id);
    if (app === undefined || app.source.kind !== 'served') throw noSuchFile();
    const documentOrigin = addresses.originOf(id, app.registration);
    if (host !== new URL(documentOrigin).host) {
      throw new SocialError('MISDIRECTED', 'This app is served at an address of its own.');
    }
    const { folder } = app.source;
    const file = await source.open({ app: id, folder, path: path.join('/'), search, headers: request.headers });
    return respond(request, file, {
      ...appHeaders({
        documentOrigin,
        siteOrigin,
        mediaOrigins,
        hosts: app.manifest.hosts,
        storage: app.manifest.storage && addresses.keepsApart(app),
        ownHost: addresses.ownHosts,
      }),
      'Cache-Control': cachingOf(pathname),
      Vary: iframeOnlyVary,
    });
  };
}
