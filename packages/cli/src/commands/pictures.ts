import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type StoriesAnswer, startDevServer } from '@gantry/dev';
import { UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { countText } from '@gantry/wire/runtime';
import { startBrowser } from '../browser/start-browser.ts';
import { type Command, withFlags } from '../command.ts';
import { contactSheet } from '../pictures/contact-sheet.ts';
import { type Taken, takePictures } from '../pictures/take-pictures.ts';
import { isMeant, picturesOf } from '../pictures/variants.ts';
import type { Output } from '../terminal/output.ts';
import { untilStopped } from '../terminal/until-stopped.ts';

const options = {
  out: { type: 'string', default: 'pictures' },
  only: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
} as const;

export const pictures: Command = {
  name: 'pictures',
  summary: 'Take pictures of all stories, as PNG files and a page that shows them',
  help: `Usage: gantry pictures [FOLDER …] [--out DIR] [--only PATTERN] [--json]

Takes eight pictures of each story: light and dark, 360 pixels wide and the story's own width (default 720), left to right
and right to left. Each is written as DIR/APP/STORY-THEME-SIZE-DIRECTION.png; DIR/index.html shows all of a run. Pictures
of earlier runs are overwritten; other files stay.

  --out DIR         Folder to write (default pictures)
  --only PATTERN    Stories whose id contains PATTERN; * stands for any text: 'friends/*'
  --json            One JSON object a line, for each picture and at the end
  --help

The browser is that of the project's Playwright, or the one that GANTRY_CHROMIUM names.

Examples:
  gantry pictures
  gantry pictures ./my-gadget --out docs/pictures
  gantry pictures ./my-gadget --only empty`,
  run: withFlags({ options }, async ({ values, positionals, env, output, print }) => {
    const folders = positionals.length > 0 ? positionals : ['.'];
    const out = resolve(values.out);
    const server = await startDevServer({ folders, port: 0 });
    try {
      const answer: StoriesAnswer = await server.stories.list();
      const pictures = chosen(answer, values.only).flatMap(picturesOf);
      const browser = await startBrowser(resolve(folders[0] ?? '.'), env);
      const stopped = new AbortController();
      void untilStopped({ withInput: false }).then(() => {
        stopped.abort();
        return browser.close();
      });
      let taken: readonly Taken[] = [];
      try {
        const onTaken = createReport(output, { total: pictures.length, isJson: values.json });
        const most = Math.min(4, availableParallelism());
        const { url } = server;
        taken = await takePictures(pictures, { browser, url, folder: out, most, signal: stopped.signal, onTaken });
      } finally {
        output.status?.('');
        await browser.close();
      }
      if (stopped.signal.aborted) throw new SocialError('UNAVAILABLE', 'Stopped.');
      await mkdir(out, { recursive: true });
      await writeFile(join(out, 'index.html'), contactSheet(taken), { mode: 0o600 });
      const problems = values.only === '' ? answer.problems : [];
      const failed = taken.filter(({ failure }) => failure !== undefined);
      const count = taken.length - failed.length;
      const said = `Wrote ${countText(count, 'picture')} to ${values.out}; see ${join(values.out, 'index.html')}.`;
      print({ type: 'done', pictures: count, failed: failed.length, problems }, said);
      const lines = [
        ...failed.map(({ picture, failure }) => `${picture.file}: ${failure}`),
        ...problems.map(problemLine),
      ];
      if (lines.length > 0) throw new SocialError('BAD_REQUEST', `Not everything could be shown:\n${lines.join('\n')}`);
    } finally {
      await server.close();
    }
  }),
};

/** Returns the stories that match. @throws UsageError if none does; NOT_FOUND without stories. */
function chosen({ stories, problems }: StoriesAnswer, only: string): StoriesAnswer['stories'] {
  const meant = stories.filter(({ id }) => isMeant(id, only));
  if (meant.length > 0) return meant;
  if (stories.length > 0) {
    throw new UsageError(
      `No story matches ${JSON.stringify(only)}. Stories: ${stories.map(({ id }) => id).join(', ')}.`,
    );
  }
  const reasons = problems.map(problemLine);
  const first = 'There are no stories. Write one beside gadget.json; gantry dev shows how at /stories.';
  throw new SocialError('NOT_FOUND', [first, ...reasons].join('\n'));
}

function createReport(
  output: Output,
  { total, isJson }: { readonly total: number; readonly isJson: boolean },
): (taken: Taken) => void {
  let done = 0;
  const tenthOf = (count: number) => Math.floor((count * 10) / total);
  return ({ picture, failure }) => {
    done += 1;
    if (isJson) {
      const { story, theme, direction, width, file } = picture;
      const facts = { type: 'picture', story: story.id, theme, width, direction };
      output.out(JSON.stringify({ ...facts, ...(failure === undefined ? { file } : { failure }) }));
    }
    const text = `${done} of ${total} pictures`;
    if (output.status) output.status(text);
    else if (tenthOf(done) > tenthOf(done - 1) && !isJson) output.err(text);
  };
}

function problemLine({ app, file, line, name, message }: StoriesAnswer['problems'][number]): string {
  const place = line === undefined ? `${app}/${file}` : `${app}/${file}:${line}`;
  return `${place}: ${name ? `${name}: ` : ''}${message}`;
}
