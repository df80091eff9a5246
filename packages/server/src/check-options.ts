import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { defaultLimits } from './edge/limits.ts';
import type { GantryOptions } from './gantry.ts';
import { appsOrigin, origin } from './site-addresses.ts';
import { createTelemetry, type Telemetry } from './telemetry.ts';
import { UsageError } from './usage-error.ts';

/** Options of a site with everything filled in. */
export interface CheckedOptions extends GantryOptions {
  readonly database: string;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Ends what was made here. */
  release(): void;
}

/**
 * Checks the options of a site and fills in what was left out.
 *
 * @throws UsageError that names the option and what it must be.
 */
export function checkOptions<O extends GantryOptions>(options: O): O & CheckedOptions {
  const { data, viewer } = options;
  if (typeof data !== 'string' || data === '') throw new UsageError('data must name a folder, such as ./data.');
  if (viewer !== undefined && typeof viewer !== 'function') throw new UsageError('viewer must be a function.');
  const url = origin(String(options.url), 'url');
  const appsHost = options.appsHost === undefined ? undefined : appsOrigin(options.appsHost, url, 'appsHost');
  const own = options.telemetry === undefined;
  const telemetry =
    options.telemetry ??
    createTelemetry({ level: process.env.GANTRY_LOG ?? 'warn', limits: defaultLimits, log: options.log });
  return {
    ...options,
    data: resolve(data),
    database: options.database ?? join(resolve(data), 'gantry.db'),
    url,
    appsHost,
    log: options.log ?? telemetry.log,
    telemetry,
    release: own ? telemetry.load.close : () => {},
  };
}
