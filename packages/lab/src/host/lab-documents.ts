import { type DocumentSource, noSuchFile } from '@gantry/proxy';
import type { AgentSettings } from '../agent-protocol.ts';
import { withAgent } from './agent-page.ts';
import { type AppFiles, isPage } from './app-files.ts';

/**
 * Documents of apps with the agent in their pages, at `/gantry/apps/<id>/<run>/…` and, for pages of
 * a lab, `/gantry/apps/<id>/<run>~<lab>/…`.
 */
export interface LabDocuments {
  /** Documents as a lab serves them. */
  forLab(lab: string): DocumentSource;
}

/**
 * Makes the documents of one run.
 *
 * @example
 * const agent = '';
 * const settingsOf = (app: string) => ({ origin: 'http://h', app, clock: { aheadMs: 0 } });
 * const documents = createLabDocuments({ run: 'r1', filesOf: () => undefined, agent, settingsOf });
 * documents.forLab('lab').pathOf?.('notes', 'index.html'); // 'r1~lab/index.html'
 * @param options.run Random for each run: other sites may read these paths, if they can guess them.
 * @param options.agent Text of the script that goes first into each page.
 * @param options.settingsOf Settings of the agent in pages of an app, in the lab that the address
 * names.
 */
export function createLabDocuments(options: {
  readonly run: string;
  readonly filesOf: (app: string) => AppFiles | undefined;
  readonly agent: string;
  readonly settingsOf: (app: string, page: { readonly lab?: string; readonly host?: string }) => AgentSettings;
}): LabDocuments {
  const { run, filesOf, agent, settingsOf } = options;

  const open: DocumentSource['open'] = async ({ app, path, search, headers }) => {
    const place = placeOf(path);
    const files = filesOf(app);
    const host = headers.get('host');
    if (files === undefined || place?.run !== run || place.path === '') throw noSuchFile();
    const lab = place.lab === undefined ? {} : { lab: place.lab };
    return files.open({
      path: place.path,
      search,
      headers,
      withAgent: (html) => withAgent(html, agent, settingsOf(app, { ...lab, ...(host !== null && { host }) })),
    });
  };

  return {
    forLab: (lab) => ({
      open,
      pathOf: (_app, page) => (isPage(page) ? `${run}~${lab}/${page}` : `${run}/${page}`),
    }),
  };
}

/** Takes apart `<run>/…` and `<run>~<lab>/…`. */
function placeOf(path: string): { readonly run: string; readonly lab?: string; readonly path: string } | undefined {
  const [, run, lab, rest] = /^([\w-]+)(?:~([\w-]+))?\/(.*)$/s.exec(path) ?? [];
  if (run === undefined || rest === undefined) return undefined;
  return { run, path: rest, ...(lab !== undefined && { lab }) };
}
