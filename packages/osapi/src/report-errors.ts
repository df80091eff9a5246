import type { ContainerConnection, OsapiError } from '@gantry/bridge';
import type { WireError } from '@gantry/wire';

const maxReports = 5;

/**
 * Reports the app's first five uncaught errors, unhandled rejections and failed files to the page,
 * which cannot see into the frame. @param scope The app's window.
 */
export function reportErrors({ act, welcome }: ContainerConnection, scope: EventTarget): void {
  welcome.catch(({ data, message }: OsapiError) => {
    if (data?.versions) console.error(message); // most apps do not handle `ready`
  });
  let count = 0;
  const report = (event: Event): void => {
    if (++count > maxReports) return;
    const { message, filename, lineno, reason } = event as ErrorEvent & PromiseRejectionEvent;
    const { src, href } = event.target as HTMLScriptElement & HTMLLinkElement; // set on the element whose file failed
    const file = src || href;
    void act('error', String(message ?? (file ? `${file} did not load` : reason)), filename, lineno);
  };
  scope.addEventListener('error', report, true);
  scope.addEventListener('unhandledrejection', report);
}

/** Reports an error without a handler. Thrown, its text could be hidden as another origin's. */
export function reportUnhandled(
  { act }: ContainerConnection,
  operation: string,
  { message }: Pick<WireError, 'message'>,
): void {
  const text = `${operation}: ${message}`;
  console.error(text);
  void act('error', text);
}
