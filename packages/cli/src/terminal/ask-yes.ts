import { showOnTerminal, type Terminal } from './ask-password.ts';

/**
 * Asks a question on a terminal.
 *
 * @returns true for `y` or `yes`; false for anything else and at the end of the input.
 */
export async function askYes(
  question: string,
  input: Terminal = process.stdin,
  show = showOnTerminal,
): Promise<boolean> {
  show(`${question} [y/N] `);
  input.setEncoding('utf8');
  input.resume();
  const { promise, resolve } = Promise.withResolvers<string>();
  let typed = '';
  const onData = (chunk: string): void => {
    typed += chunk;
    if (/[\r\n]/.test(typed)) resolve(typed);
  };
  const onEnd = (): void => resolve('');
  input.on('data', onData);
  input.on('end', onEnd);
  try {
    return /^\s*y(es)?\s*$/i.test(await promise);
  } finally {
    input.off('data', onData);
    input.off('end', onEnd);
    input.pause();
  }
}
