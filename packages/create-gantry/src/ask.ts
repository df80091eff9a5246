import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompt for a person. Absent without a terminal, and with `--yes` or `--json`. */
export interface Asking {
  /** Resolves with the typed text, or with `preset` for an empty line. */
  text(question: string, preset: string): Promise<string>;
  /** Resolves with one of the choices; repeats the question until it is one. */
  choice<Name extends string>(question: string, choices: Readonly<Record<Name, string>>): Promise<Name>;
}

/** Prompt at this process's terminal. Questions go to standard error, like progress. */
export const terminal: Asking = {
  async text(question, preset) {
    return (await askLine(`${question} (${preset}) `)).trim() || preset;
  },
  async choice(question, choices) {
    const names = Object.keys(choices) as (keyof typeof choices)[];
    const lines = names.map((name, index) => `  ${index + 1}  ${name.padEnd(12)}${choices[name]}`);
    process.stderr.write(`${question}\n${lines.join('\n')}\n`);
    for (;;) {
      const answer = (await askLine(`1–${names.length} or a name (1) `)).trim().toLowerCase() || '1';
      const choice = names[Number(answer) - 1] ?? names.find((name) => name === answer);
      if (choice !== undefined) return choice;
    }
  },
};

/** Streams of a question; tests have their own. */
export interface AskOptions {
  readonly input?: NodeJS.ReadableStream;
  /** Default: standard error, so that results can be piped. */
  readonly output?: NodeJS.WritableStream;
  /** Shows nothing of what is typed: a password. */
  readonly isHidden?: boolean;
}

/** Asks for one line at the terminal. @throws Error at Ctrl-C and at the end of the input. */
export async function askLine(
  question: string,
  { input = process.stdin, output = process.stderr, isHidden = false }: AskOptions = {},
): Promise<string> {
  const hidden = {
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: true,
    historySize: 0,
  };
  if (isHidden) output.write(question);
  const lines = createInterface({ input, output, ...(isHidden && hidden) });
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Error('Nothing was written.'))); // Ctrl-C or Ctrl-D
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    ended.catch(() => {});
    lines.close();
    if (isHidden) output.write('\n');
  }
}

/** Asks for `y` or `yes`. Resolves with false for any other line and at the end of the input. */
export async function askYes(question: string, options?: AskOptions): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, options).catch(() => '');
  return /^\s*y(es)?\s*$/i.test(answer);
}
