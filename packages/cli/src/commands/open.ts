import { open as openFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { line, recoverTape, startDevServer, type TapeFile } from '@gantry/dev';
import { tapeBounds } from '@gantry/lab/tape';
import { UsageError } from '@gantry/server';
import { terminalText } from '@gantry/wire/runtime';
import { openInBrowser } from '../browser/open-in-browser.ts';
import { type Command, withFlags } from '../command.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { checkFolder, portOf } from './dev.ts';

const options = {
  app: { type: 'string' },
  port: { type: 'string' },
  open: { type: 'boolean', default: true },
  json: { type: 'boolean' },
} as const;

/** `gantry open`: shows a tape in the list of calls. */
export const open: Command = {
  name: 'open',
  summary: "Show a tape: a gadget's calls, replies and refusals, recorded by a test",
  help: `Usage: gantry open FILE [options]

Shows the calls of a tape in a page: each with its parameters, reply, decision, timing and explanation, and the test's
error. Failed tests of the kit write tapes; the list of calls of gantry dev saves and opens them too.

  --app DIR   Folder of the gadget (with gadget.json): the page leads to the gadget in the state of the tape
  --port N    Port on 127.0.0.1 (default 4500, or the next that is free; 0 lets the system choose)
  --no-open   Opens no browser, as without a terminal
  --json      Prints head, problems and entries, one a line, and ends
  --help

Examples:
  gantry open failure.tape
  gantry open failure.tape --app ./my-gadget
  gantry open failure.tape --json | grep '"kind":"refusal"'

Safe for files of strangers: nothing in a tape runs or is loaded. Exit code 1: the file is not a tape.`,
  run: withFlags({ options, allowNegative: true }, async ({ values, positionals, output: { out, err } }) => {
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError('Name one tape: gantry open FILE.');
    const port = values.port === undefined ? undefined : portOf(values.port);
    if (values.app !== undefined) checkFolder(values.app);
    const tape = recoverTape(await textOf(path));
    const name = basename(path);
    if (values.json) {
      out(line({ event: 'tape', ...tape.head, problems: tape.problems }));
      for (const entry of tape.entries) out(line({ event: 'entry', ...entry }));
      return;
    }
    for (const problem of tape.problems) err(problem);
    const folders = values.app === undefined ? [] : [values.app];
    const server = await startDevServer({ folders, tape: { ...tape, name }, ...(port !== undefined && { port }) });
    const stopped = untilStopped({ withInput: false });
    try {
      for (const notice of server.notices) err(notice);
      for (const text of factsOf(tape)) out(text);
      const url = `${server.url}/tape`;
      out(`Tape ready at ${url}`);
      const hasTerminal = process.stdout.isTTY === true;
      if (values.open && hasTerminal && !(await openInBrowser(url)))
        err(`No browser could be opened. Open ${url} yourself.`);
      await stopped;
    } finally {
      await server.close();
    }
  }),
};

/** Reads a file. @throws UsageError if it cannot be read, or is too long for a tape. */
async function textOf(path: string): Promise<string> {
  const name = terminalText(path, 200);
  const file = await openFile(path).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'There is no file' : 'This file cannot be read:';
    throw new UsageError(`${why} ${name}.`);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new UsageError(`${name} is not a file. Name the tape itself.`);
    if (stat.size > tapeBounds.characters) {
      throw new UsageError(`${name} has more than ${tapeBounds.characters / 1024 / 1024} MiB: no tape is that long.`);
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Returns the facts of a tape's head, one line each. */
function factsOf({ head, entries }: TapeFile): readonly string[] {
  const { app, host, test, isRedacted, scenario } = head;
  const state = Object.entries(scenario).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    `${app}, ${entries.length} entries, recorded in a ${host}${isRedacted ? ', redacted' : ', not redacted'}`,
    ...(state.length > 0 ? [`State: ${state.join(', ')}`] : []),
    ...(test ? [`Test: ${test.title}${test.file ? ` (${test.file})` : ''}`] : []),
    ...(test?.error ? [`Error: ${test.error.split('\n', 1)[0]}`] : []),
  ].map((text) => terminalText(text, 300));
}
