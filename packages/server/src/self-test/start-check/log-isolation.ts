import { createAppAddresses, listApps } from '@gantry/proxy';
import type { Database } from '@gantry/store';
import type { Logger } from '@gantry/wire/runtime';
import type { ListenPlace } from '../../setup/listen-place.ts';
import { addressProblems, checkIsolation } from './check-isolation.ts';
import { loopbackFetch } from './loopback-fetch.ts';

export interface IsolationLogOptions extends Omit<ListenPlace, 'socket'> {
  readonly db: Database;
  /** Public address. */
  readonly url: string;
  readonly appsHost?: string | undefined;
  readonly log: Logger;
  /** Aborts when the server stops: later findings mean nothing. */
  readonly signal: AbortSignal;
}

/**
 * Requests the page of the first app and the SDK from this server, as a browser would, and logs
 * whether the headers that isolate apps are sent: one line at `info`, or a warning for each that is
 * not. It cannot see what a reverse proxy removes; `gantry check --url` does. Never rejects.
 */
export async function logIsolation(options: IsolationLogOptions): Promise<void> {
  const { db, url, appsHost, log, signal } = options;
  try {
    const addresses = createAppAddresses({ siteOrigin: url, appsHost });
    const app = (await listApps(db)).find(({ source }) => source.kind !== 'remote');
    const findings = app
      ? await checkIsolation({ site: url, document: addresses.documentOf(app), fetch: loopbackFetch(options) })
      : addressProblems(new URL(url), new URL(addresses.originOf('any')));
    if (signal.aborted) return;
    for (const finding of findings) log.warn({}, `self-test of isolation: ${finding} See gantry check.`);
    if (app && findings.length === 0) {
      log.info(
        {},
        `self-test of isolation: passed with ${app.id}. To see what a reverse proxy removes: gantry check --url.`,
      );
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'self-test of isolation: failed to run. See gantry check.');
  }
}
