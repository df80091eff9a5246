import { UsageError } from '@gantry/server';

/** The parts of a terminal's input that reading without echo needs. */
export interface Terminal extends NodeJS.EventEmitter {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Shows a text where results are not piped to. */
export function showOnTerminal(text: string): void {
  process.stderr.write(text);
}

/**
 * Reads a line from a terminal without showing it.
 *
 * @throws UsageError if the input is not a terminal, and after Ctrl-C or Ctrl-D.
 */
export async function askHidden(
  question: string,
  input: Terminal = process.stdin,
  show = showOnTerminal,
): Promise<string> {
  if (!input.isTTY || !input.setRawMode) {
    throw new UsageError('A password needs a terminal or --password-stdin.');
  }
  show(question);
  input.setEncoding('utf8');
  input.setRawMode(true);
  input.resume();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const typed: string[] = [];
  const onData = (chunk: string): void => {
    for (const char of chunk) {
      if (char === '\r' || char === '\n') resolve(typed.join(''));
      else if (char === '\u0003' || char === '\u0004') reject(new UsageError('No password was given.'));
      else if (char === '\u007f' || char === '\b') typed.pop();
      else if (char >= ' ') typed.push(char);
    }
  };
  input.on('data', onData);
  try {
    return await promise;
  } finally {
    input.off('data', onData);
    input.setRawMode(false);
    input.pause();
    show('\n');
  }
}

/** Reads a password from a pipe, without the line break at its end. */
export async function readPiped(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text.replace(/\r?\n$/, '');
}
