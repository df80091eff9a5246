import { createAppAddresses, listApps } from '@gantry/proxy';
import type { Database } from '@gantry/store';
import type { Logger } from 'pino';
import { addressTroubles, checkIsolation } from './check-isolation.ts';
import { askLoopback } from './loopback.ts';

export interface SelfTestOptions {
  readonly db: Database;
  /** Public address. */
  readonly url: string;
  readonly appsHost?: string | undefined;
  /** Where this process listens. */
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** Aborts when the server stops: what is found from then on says nothing. */
  readonly signal: AbortSignal;
}

/**
 * Asks this very server for the page of its first app and for the SDK, as a browser would, and logs whether what keeps apps apart is
 * sent: one line at `info` if all holds, one warning for each finding if not. What a reverse proxy strips on the way cannot be
 * seen from here: `gantry check --url` does that. Never rejects.
 */
export async function selfTest({ db, url, appsHost, host, port, log, signal }: SelfTestOptions): Promise<void> {
  try {
    const addresses = createAppAddresses({ siteOrigin: url, appsHost });
    const app = (await listApps(db)).find(({ source }) => source.kind === 'served');
    const findings = app
      ? await checkIsolation({ site: url, document: addresses.documentOf(app), fetch: askLoopback({ host, port }) })
      : addressTroubles(new URL(url), new URL(addresses.originOf('any')));
    if (signal.aborted) return;
    for (const finding of findings) log.warn(`self-test of isolation: ${finding} See gantry check.`);
    if (app && findings.length === 0) {
      log.info(`self-test of isolation: holds, tried with ${app.id}. What a reverse proxy strips: gantry check --url.`);
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'self-test of isolation: could not be done. See gantry check.');
  }
}
