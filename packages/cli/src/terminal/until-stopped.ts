import { fstatSync } from 'node:fs';

/**
 * Resolves on Ctrl-C, SIGTERM, SIGHUP, the end of piped input, or when the reader of the output has
 * gone. @param options.withInput The end of standard input counts, if it is a pipe: /dev/null ends
 * at once.
 */
export function untilStopped({ withInput }: { readonly withInput: boolean }): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const { stdin, stdout } = process;
  return new Promise((resolve) => {
    function stop(): void {
      for (const signal of signals) process.off(signal, stop);
      stdout.off('error', stop);
      if (isPipe) stdin.off('end', stop).off('error', stop).pause();
      resolve();
    }
    const isPipe = withInput && isPiped();
    for (const signal of signals) process.once(signal, stop);
    stdout.once('error', stop);
    if (isPipe) stdin.once('end', stop).once('error', stop).resume();
  });
}

function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
