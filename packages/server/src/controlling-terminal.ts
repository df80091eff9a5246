import { closeSync, openSync } from 'node:fs';

/**
 * Returns whether a terminal controls this process, so that SIGHUP means its end. A service has none, and by the custom of
 * services SIGHUP asks it to load its configuration anew. To be asked at the start: a terminal that is gone cannot be opened.
 */
export function hasControllingTerminal(): boolean {
  if (process.platform === 'win32') return true; // where SIGHUP is a console that closes
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
