import { fstatSync } from 'node:fs';

/**
 * Resolves when the process is asked to end: Ctrl-C, SIGTERM, SIGHUP, or the end of what is piped into it.
 *
 * @param options.withInput Whether the end of standard input counts. It does for a pipe only: /dev/null ends at once.
 */
export function untilStopped({ withInput }: { readonly withInput: boolean }): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const { stdin } = process;
  return new Promise((resolve) => {
    function stop(): void {
      for (const signal of signals) process.off(signal, stop);
      if (isPipe) stdin.off('end', stop).off('error', stop).pause();
      resolve();
    }
    const isPipe = withInput && isPiped();
    for (const signal of signals) process.once(signal, stop);
    if (isPipe) stdin.once('end', stop).once('error', stop).resume();
  });
}

function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false; // closed
  }
}
