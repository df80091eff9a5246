import { UsageError } from '@gantry/server';

/** The parts of a terminal's input that are needed to read what is not shown. */
export interface Terminal extends NodeJS.EventEmitter {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  resume(): unknown;
  pause(): unknown;
}

/**
 * Reads a line from a terminal without showing it.
 *
 * @throws UsageError where the input is no terminal, and for one that was broken off with Ctrl-C or Ctrl-D.
 */
export async function askHidden(question: string, input: Terminal, show: (text: string) => void): Promise<string> {
  if (!input.isTTY || !input.setRawMode) {
    throw new UsageError('There is no terminal to ask for the password on: use --password-stdin.');
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

/** Reads a password from a pipe: all of it, without the line break at its end. */
export async function readPiped(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text.replace(/\r?\n$/, '');
}
