import type { ContainerConnection, OsapiError } from '@gantry/bridge';

const most = 5;

/**
 * Reports the app's first uncaught errors, unhandled rejections and files that did not load to the page, which cannot see into
 * the frame. The browser's console has them all the same.
 *
 * @param scope The app's window.
 */
export function reportErrors({ act, welcome }: ContainerConnection, scope: EventTarget): void {
  welcome.catch(({ data, message }: OsapiError) => {
    if (data?.reason === 'VERSION_MISMATCH') console.error(message); // most apps do not look at why `ready` rejects
  });
  let count = 0;
  const report = (event: Event): void => {
    if (++count > most) return;
    const { message, filename, lineno, reason } = event as ErrorEvent & PromiseRejectionEvent;
    const { src, href } = event.target as HTMLScriptElement & HTMLLinkElement; // of the element that did not load
    const file = src || href;
    void act('error', String(message ?? (file ? `${file} did not load` : reason)), filename, lineno);
  };
  scope.addEventListener('error', report, true);
  scope.addEventListener('unhandledrejection', report);
}

/** Reports a failure that a subscriber left unhandled. Browsers would hide the text of one that a foreign script throws. */
export function reportUnhandled({ act }: ContainerConnection, operation: string, { message }: OsapiError): void {
  const text = `${operation}: ${message}`;
  console.error(text);
  void act('error', text);
}
