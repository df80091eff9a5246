import { SocialError } from '@gantry/wire';
import { type AppFile, openAppFile } from './app-files.ts';
import { fileSegments } from './app-path.ts';

/** A file of an app that somebody asks for. */
export interface DocumentRequest {
  /** Id of the app. */
  readonly app: string;
  /** Absolute path of the folder that is registered for the app. */
  readonly folder: string;
  /** Path behind `/gantry/apps/<id>/`, percent-encoded as the client sent it, without query. */
  readonly path: string;
  /** The query with its question mark, or `''`. */
  readonly search: string;
  readonly headers: Headers;
}

/**
 * A source of the files of served apps: their folders, or in development a server that builds them. A source gives content
 * and its type; the headers that isolate an app are set in one place, by `createAppDocuments`, whatever the source.
 */
export interface DocumentSource {
  /** Opens a file. @throws SocialError NOT_FOUND for what the app does not have. */
  open(request: DocumentRequest): Promise<AppFile>;
  /** Names a page of the app in its address, relative to `/gantry/apps/<id>/`. Default: the page's own path. */
  readonly pathOf?: (app: string, page: string) => string;
}

/** Serves each app's files from its folder as they are. */
export const folderSource: DocumentSource = {
  async open({ folder, path }) {
    const segments = fileSegments(path);
    if (segments === undefined) throw noSuchFile();
    return openAppFile(folder, segments);
  },
};

/** Says that an app has no such file. */
export function noSuchFile(cause?: unknown): SocialError {
  return new SocialError('NOT_FOUND', 'There is no such file of a registered app here.', { cause });
}
