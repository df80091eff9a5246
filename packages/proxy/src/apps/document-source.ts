import { SocialError } from '@gantry/wire';
import { type AppFile, openAppFile } from './app-files.ts';
import { parseFilePath } from './app-path.ts';

export interface DocumentRequest {
  readonly app: string;
  /** Absolute path of the app's registered folder. */
  readonly folder: string;
  /** Path after `/gantry/apps/<id>/`, percent-encoded as the client sent it, without query. */
  readonly path: string;
  /** The query with its question mark, or `''`. */
  readonly search: string;
  readonly headers: Headers;
}

/**
 * A source of the files of served apps: their folders, or a build server in development. The
 * headers that isolate an app come from `createAppDocuments`.
 */
export interface DocumentSource {
  /** Opens a file. @throws SocialError NOT_FOUND if the app has no such file. */
  open(request: DocumentRequest): Promise<AppFile>;
  /** Returns a page's path below `/gantry/apps/<id>/`. Default: its path in the folder. */
  readonly pathOf?: (app: string, page: string) => string;
}

/** Serves each app's files from its folder as they are. */
export const folderSource: DocumentSource = {
  async open({ folder, path }) {
    const segments = parseFilePath(path);
    if (segments === undefined) throw noSuchFile();
    return openAppFile(folder, segments);
  },
};

/** Returns the error for a file that an app does not have. */
export function noSuchFile(cause?: unknown): SocialError {
  return new SocialError('NOT_FOUND', 'There is no such file of a registered app here.', { cause });
}
