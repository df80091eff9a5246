import { UsageError } from './usage-error.ts';

/** Translates the error of a listener into one that says what to do, where that is known. */
export function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(`Port ${port} is taken. Stop what uses it, or name another with PORT or --port.`);
  if (error.code === 'EACCES')
    return new UsageError(`Port ${port} may not be opened by this user. Name one above 1023 with PORT or --port.`);
  return error;
}
