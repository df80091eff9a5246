import { UsageError } from '@gantry/server';
import { type AskOptions, askLine } from 'create-gantry';

/** Reads a line, unseen. @throws UsageError without a terminal, and after Ctrl-C or Ctrl-D. */
export async function askHidden(question: string, options: AskOptions = {}): Promise<string> {
  const { input = process.stdin } = options;
  if (!('isTTY' in input) || !input.isTTY) throw new UsageError('A password needs a terminal or --password-stdin.');
  return askLine(question, { ...options, isHidden: true }).catch((cause: unknown) => {
    throw new UsageError('No password was given.', { cause });
  });
}

/** Reads a password from a pipe, without the line break at its end. */
export async function readPiped(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text.replace(/\r?\n$/, '');
}
