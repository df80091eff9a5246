import { dirname, join } from 'node:path';
import { type HttpResponse, isBelow, SocialError } from '@gantry/wire';
import type { RespondWithFile } from '../http/file-responses.ts';
import { schemaResponse } from './manifest-schema.ts';
import { serveChunks, serveScript } from './scripts.ts';

/** Answers `GET` and `HEAD` with a file. */
export type AnswerFile = (request: Request) => HttpResponse | Promise<HttpResponse>;

/**
 * Serves the public files below `/gantry/`: scripts, documents of apps, the schema of manifests.
 *
 * @param options.scripts Paths of the built scripts, with `chunks/` beside the container.
 */
export function createPublicFiles(options: {
  readonly scripts: { readonly osapi: string; readonly container: string };
  readonly documents: AnswerFile;
  readonly selfTest: AnswerFile | undefined;
  readonly respond: RespondWithFile;
}) {
  const { scripts, documents, selfTest, respond } = options;
  const files = new Map<string, AnswerFile>([
    ['/gantry/manifest.schema.json', schemaResponse],
    ['/gantry/osapi.js', serveScript(scripts.osapi, { respond })],
    ['/gantry/container.js', serveScript(scripts.container, { respond })],
  ]);
  const folders: readonly (readonly [root: string, AnswerFile])[] = [
    ['/gantry/apps', documents],
    ['/gantry/chunks', serveChunks(join(dirname(scripts.container), 'chunks'), respond)],
    ...(selfTest ? [['/gantry/self-test', selfTest] as const] : []),
  ];

  return {
    routes: [
      ...[...files.keys()].map((path) => `GET ${path}`),
      ...folders.map(([root]) => `GET ${root}/{file}`),
    ] as readonly string[],
    /** @throws SocialError METHOD_NOT_ALLOWED, or NOT_FOUND for another address. */
    async answer(request: Request, path: string): Promise<HttpResponse> {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new SocialError('METHOD_NOT_ALLOWED', 'Use GET.', { allow: ['GET', 'HEAD'] });
      }
      const serve = files.get(path) ?? folders.find(([root]) => isBelow([root], path))?.[1];
      if (serve === undefined) throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
      return serve(request);
    },
  };
}
