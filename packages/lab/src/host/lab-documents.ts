import { type DocumentSource, noSuchFile } from '@gantry/proxy';
import type { AgentSettings } from '../agent-protocol.ts';
import { type AppFiles, isPage } from './app-files.ts';

/** Documents of apps with the agent: `/gantry/apps/<id>/<run>/…`, with a lab `<run>~<lab>`. */
export type LabDocuments = ReturnType<typeof createLabDocuments>;

/**
 * Makes the documents of one run.
 *
 * @param options.run Random for each run: other sites may read these paths, if they can guess them.
 * @param options.agent Text of the script that goes first into each page.
 * @param options.settingsOf Settings of the agent in a page, by app, lab and requested host.
 */
export function createLabDocuments(options: {
  readonly run: string;
  readonly filesOf: (app: string) => AppFiles | undefined;
  readonly agent: string;
  readonly settingsOf: (
    app: string,
    page: { readonly lab: string | undefined; readonly host: string | undefined },
  ) => AgentSettings;
}) {
  const { run, filesOf, agent, settingsOf } = options;

  const open: DocumentSource['open'] = async ({ app, path, search, headers }) => {
    const files = filesOf(app);
    const place = /^(?<of>[\w-]+)(?:~(?<lab>[\w-]+))?\/(?<file>.+)$/s.exec(path)?.groups;
    if (files === undefined || place?.of !== run) throw noSuchFile();
    const page = { lab: place.lab, host: headers.get('host') ?? undefined };
    return files.open({
      path: place.file as string,
      search,
      headers,
      withAgent: (html) => withAgent(html, agent, settingsOf(app, page)),
    });
  };

  return {
    /** Documents as a lab serves them. */
    forLab: (lab: string): DocumentSource => ({
      open,
      pathOf: (_app, page) => (isPage(page) ? `${run}~${lab}/${page}` : `${run}/${page}`),
    }),
  };
}

/**
 * Inserts the agent behind the doctype and on its line, so that the page keeps its line numbers and
 * its rendering mode. @param script Text of the agent, a classic script.
 */
export function withAgent(html: string, script: string, settings: AgentSettings): string {
  const text = withNamedErrors(html.replace(/^\uFEFF/, ''));
  const at = endOfDoctype(text);
  // In an inline script, `<` could end the script. The replacement is no pattern of `replace`.
  const values = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const tag = `<script>globalThis.gantryAgent=${values};${script.trim().replaceAll('</script', '<\\/script')}</script>`;
  return text.slice(0, at) + tag + text.slice(at);
}

/**
 * Adds `crossorigin` to the app's own plain scripts: a frame without an origin hears only `Script
 * error.` of others. Lines with a script of their own stay as they are, so that columns do.
 */
function withNamedErrors(html: string): string {
  return html.replace(/.+/g, (line) => {
    if (/<script(?![^<>]*\ssrc\s*=)/i.test(line)) return line;
    return line.replace(/<script\s[^<>]*>/gi, (tag) => {
      const [, address = ''] = /\ssrc\s*=\s*["']?([^"'\s>]*)/i.exec(tag) ?? [];
      const isOwn = !/^(?:[a-z]+:|\/(?!gantry\/apps\/))/i.test(address);
      const isPlain = !/\s(?:crossorigin|integrity|type\s*=\s*["']?module)/i.test(tag);
      return isOwn && isPlain ? tag.replace(/^<\w+/, '$& crossorigin') : tag;
    });
  });
}

/**
 * Returns the position behind the doctype, 0 without one. Reads each letter once: an expression for
 * spaces and comments before it would try all ways to divide them.
 */
function endOfDoctype(html: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(html.charAt(at))) at += 1;
    if (!html.startsWith('<!--', at)) break;
    const end = html.indexOf('-->', at + 4);
    if (end < 0) return 0;
    at = end + 3;
  }
  const doctype = /<!doctype[^>]*>/iy;
  doctype.lastIndex = at;
  return doctype.test(html) ? doctype.lastIndex : 0;
}
