import { closeSync, openSync } from 'node:fs';

/**
 * Returns whether a terminal controls this process, so that SIGHUP means its end. For a service,
 * which has none, SIGHUP by convention reloads the configuration. Call it at the start: a terminal
 * that has closed cannot be opened.
 */
export function hasControllingTerminal(): boolean {
  if (process.platform === 'win32') return true; // SIGHUP is a closing console there
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
