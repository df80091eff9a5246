import { UsageError } from './usage-error.ts';

/** Returns a clearer error for a listener that failed, if its cause is known. */
export function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(
      `Port ${port} is taken. Stop the program that uses it, or choose another port with PORT or --port.`,
    );
  if (error.code === 'EACCES')
    return new UsageError(`This user may not open port ${port}. Choose one above 1023 with PORT or --port.`);
  return error;
}
