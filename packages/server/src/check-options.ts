import { join, resolve } from 'node:path';
import type { Logger } from '@gantry/wire/runtime';
import { defaultLimits } from './edge/limits.ts';
import type { GantryOptions } from './gantry.ts';
import { bucketAddress } from './setup/bucket-address.ts';
import { requireReplicasOf } from './setup/database-address.ts';
import { readLogLevel } from './setup/log-level.ts';
import { fetchSecrets, passwordsOf, type Secrets } from './setup/secrets.ts';
import { appsOrigin, siteOrigin } from './setup/site-addresses.ts';
import { UsageError } from './setup/usage-error.ts';
import { createTelemetry, type Telemetry } from './telemetry/telemetry.ts';

/** Options of a site with all defaults filled in. */
export interface CheckedOptions extends Omit<GantryOptions, keyof Secrets>, Secrets {
  readonly database: string;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Closes the telemetry if `checkOptions` created it. */
  release(): void;
}

/**
 * Validates a site's options, fetches its secrets and adds defaults.
 *
 * @throws UsageError that names valid values.
 */
export async function checkOptions<O extends GantryOptions>(
  given: O,
): Promise<Omit<O, keyof Secrets> & CheckedOptions> {
  const options = await fetchSecrets(given);
  const { data, viewer } = options;
  if (typeof data !== 'string' || data === '') throw new UsageError('data must name a folder, such as ./data.');
  if (viewer !== undefined && typeof viewer !== 'function') throw new UsageError('viewer must be a function.');
  if (typeof (options.sharesDatabase ?? false) !== 'boolean') {
    throw new UsageError('sharesDatabase must be true or false.');
  }
  const url = siteOrigin(String(options.url), 'url');
  const appsHost = options.appsHost === undefined ? undefined : appsOrigin(options.appsHost, url, 'appsHost');
  const database = options.database ?? join(resolve(data), 'gantry.db');
  if (options.bucket !== undefined) bucketAddress(options.bucket, 'bucket');
  requireReplicasOf(database, options.replicas ?? []);
  const telemetry =
    options.telemetry ??
    createTelemetry({
      level: readLogLevel(process.env, 'warn'),
      limits: defaultLimits,
      log: options.log,
      secretTexts: optionTexts(options, [database, ...(options.replicas ?? [])]),
    });
  return {
    ...options,
    data: resolve(data),
    database,
    url,
    appsHost,
    log: options.log ?? telemetry.log,
    telemetry,
    release: options.telemetry ? () => {} : telemetry.load.close,
  };
}

function optionTexts({ viewerKey, masterKey, metricsToken }: Secrets, addresses: readonly string[]): readonly string[] {
  const keys = [viewerKey, masterKey].flatMap((key) => (key ? [Buffer.from(key).toString()] : []));
  return [...keys, ...(metricsToken === undefined ? [] : [metricsToken]), ...addresses.flatMap(passwordsOf)];
}
