import { type HttpResponse, SocialError } from '@gantry/wire';
import { immutable, isDocument, type RespondWithFile } from '../http/file-responses.ts';
import type { AppAddresses } from './app-addresses.ts';
import type { AppVersions } from './app-version.ts';
import { appHeaders } from './document-headers.ts';
import { type DocumentSource, noSuchFile } from './document-source.ts';
import { iframeOnlyVary, opensOutsideIframe, outsideIframePage } from './refuse-outside-iframe.ts';

/**
 * Serves `GET|HEAD /gantry/apps/<id>/<file…>` with the headers of security rule 5, and the files of
 * one version below `/gantry/apps/<id>/@<digest>/`. Refuses to show a document outside of an iframe
 * (rule 27). Documents are asked for each time, so that new headers arrive.
 */
export function createAppDocuments(options: {
  readonly versions: AppVersions;
  readonly siteOrigin: string;
  readonly mediaOrigins: readonly string[];
  readonly addresses: AppAddresses;
  readonly source: DocumentSource;
  readonly respond: RespondWithFile;
}): (request: Request) => Promise<HttpResponse> {
  const { versions, siteOrigin, mediaOrigins, addresses, source, respond } = options;

  return async (request) => {
    if (opensOutsideIframe(request)) return outsideIframePage(siteOrigin); // before any 304
    const { host, pathname, search } = new URL(request.url);
    const [, encodedId = '', digest, path = ''] = address.exec(pathname) ?? [];
    const id = encodedId.replaceAll('%3A', ':'); // the only character of ids that documentOf encodes
    const app = await versions.findShown(id, digest);
    if (app === undefined || app.source.kind === 'remote') throw noSuchFile();
    const documentOrigin = addresses.originOf(id, app.registration);
    if (host !== new URL(documentOrigin).host) {
      throw new SocialError('MISDIRECTED', 'This app is served at an address of its own.');
    }
    const { source: place, registration } = app;
    const file =
      place.kind === 'stored'
        ? await versions.open({ app: id, registration, digest: place.version }, path)
        : await source.open({ app: id, folder: place.folder, path, search, headers: request.headers });
    return respond(request, file, {
      ...appHeaders({
        documentOrigin,
        siteOrigin,
        mediaOrigins,
        hosts: app.manifest.hosts,
        storage: app.manifest.storage && addresses.keepsApart(app),
        ownHost: addresses.ownHosts,
      }),
      'Cache-Control': digest === undefined || isDocument(file.contentType) ? 'no-cache' : immutable,
      Vary: iframeOnlyVary,
    });
  };
}

const address = /^\/gantry\/apps\/([^/]*)\/(?:@([0-9a-f]{64})\/)?(.*)$/;
