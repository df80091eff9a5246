import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseAddress } from './database-address.ts';
import { withEnvironmentFile } from './environment-file.ts';
import { inheritedSocket } from './listen-place.ts';
import { appsOrigin, origin, trustedProxies } from './site-addresses.ts';
import { UsageError } from './usage-error.ts';

/** Configuration of a server: from flags, then environment, then defaults. */
export interface Configuration {
  readonly port: number;
  readonly host: string;
  /** Descriptor of a listening socket from a service manager, used instead of `port` and `host`. */
  readonly socket?: number;
  /** Public address, an origin. Absent: `http://localhost:<port>`. */
  readonly url?: string;
  /** Origin of app documents; may begin with `*.`. Absent: the site's own, made opaque. */
  readonly appsHost?: string;
  readonly data: string;
  /** SQLite file or `postgres://` address, which may hold a password. */
  readonly database: string;
  /** Reverse proxies whose `X-Forwarded-For` and `X-Request-Id` are believed. */
  readonly trustedProxies?: BlockList;
  /** Key of the tokens in which a site in another language names the signed-in member. */
  readonly viewerKey?: Uint8Array;
  /** Sign-in page of such a site. */
  readonly signInUrl?: string;
  /** Bearer token of `/metrics`. */
  readonly metricsToken?: string;
  /** Calls per minute that one member's use of one app may make; 0 is no limit. */
  readonly callsPerMinute?: number;
  /** Time for which a stopping server still accepts, so that load balancers notice. */
  readonly graceSeconds: number;
  /** Level of the log. Absent: `warn`. */
  readonly logLevel?: string;
}

/** Flags of every command. */
export const dataFlags = {
  data: { type: 'string' },
  database: { type: 'string' },
} as const;
export const serverFlags = {
  ...dataFlags,
  port: { type: 'string' },
  host: { type: 'string' },
  url: { type: 'string' },
  'apps-host': { type: 'string' },
  'trust-proxy': { type: 'string' },
  grace: { type: 'string' },
  'sign-in-url': { type: 'string' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Reads the configuration of a server that is started without the `gantry` command.
 *
 * @example
 * readServerConfiguration(['--port', '8080'], {}).port; // 8080
 */
export function readServerConfiguration(args: readonly string[], env: Environment): Configuration {
  const { values } = parseArgs({ args: [...args], options: serverFlags });
  return configuration(values, withEnvironmentFile(env));
}

/**
 * Reads the configuration from parsed flags and the environment.
 *
 * @example
 * configuration({}, { PORT: '8080' }).port; // 8080
 * configuration({ port: 'http' }, {}); // throws --port (PORT)
 * @throws UsageError that names the setting, its value and what it should be.
 */
export function configuration(flags: Flags, env: Environment): Configuration {
  const read = (flag: string, variable: string) => (flags[flag] as string | undefined) ?? (env[variable] || undefined);
  const data = resolve(read('data', 'GANTRY_DATA') ?? '.gantry');
  const url = read('url', 'GANTRY_URL');
  const apps = read('apps-host', 'GANTRY_APPS_HOST');
  const proxies = read('trust-proxy', 'GANTRY_TRUSTED_PROXIES');
  const viewerKey = env.GANTRY_VIEWER_KEY || undefined;
  const signInUrl = read('sign-in-url', 'GANTRY_SIGN_IN_URL');
  const metricsToken = env.GANTRY_METRICS_TOKEN || undefined; // no flag: every process of the machine can read flags
  const callsPerMinute = env.GANTRY_CALLS_PER_MINUTE || undefined;
  const socket = inheritedSocket(env, process.pid);
  return {
    port: portNumber(read('port', 'PORT') ?? '4400'),
    host: read('host', 'GANTRY_HOST') ?? '127.0.0.1',
    ...(socket !== undefined && { socket }),
    data,
    database: databaseAddress(read('database', 'GANTRY_DATABASE'), data),
    ...(url !== undefined && { url: origin(url, '--url (GANTRY_URL)') }),
    ...(apps !== undefined && { appsHost: appsOrigin(apps, url, '--apps-host (GANTRY_APPS_HOST)') }),
    ...(proxies !== undefined && { trustedProxies: trustedProxies(proxies, '--trust-proxy (GANTRY_TRUSTED_PROXIES)') }),
    ...(viewerKey !== undefined && { viewerKey: strongKey(viewerKey) }),
    ...(signInUrl !== undefined && { signInUrl: signInAddress(signInUrl) }),
    ...(metricsToken !== undefined && { metricsToken: strongToken(metricsToken) }),
    ...(callsPerMinute !== undefined && { callsPerMinute: callLimit(callsPerMinute) }),
    graceSeconds: seconds(read('grace', 'GANTRY_GRACE') ?? '0', '--grace (GANTRY_GRACE)'),
    ...(env.GANTRY_LOG && { logLevel: env.GANTRY_LOG }),
  };
}

/**
 * Reads the settings that only `gantry proxy` has.
 *
 * @example
 * const env = { GANTRY_VIEWER_KEY: 'at-least-32-bytes-of-a-shared-key' };
 * upstreamSettings({ upstream: 'https://social.example/social/rest' }, env).honoursKeys; // false
 * @throws UsageError that names a missing or wrong setting.
 */
export function upstreamSettings(
  flags: Flags,
  env: Environment,
): {
  readonly upstreamUrl: string;
  readonly mediaOrigins: readonly string[];
  readonly honoursKeys: boolean;
  readonly records?: { readonly key: string; readonly secret: string };
} {
  const upstream = ((flags.upstream as string | undefined) ?? env.GANTRY_UPSTREAM ?? '').replace(/\/+$/, '');
  const media = (flags['media-origin'] as string | undefined) ?? env.GANTRY_MEDIA_ORIGINS ?? '';
  const parsed = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href.replace(/\/$/, '') !== upstream || parsed.search) {
    const wanted = 'must be the REST root of the site, such as https://site.example/social/rest';
    throw new UsageError(`--upstream (GANTRY_UPSTREAM) ${wanted}${upstream === '' ? '.' : `, not "${upstream}".`}`);
  }
  if (parsed.username + parsed.password !== '') {
    throw new UsageError('--upstream (GANTRY_UPSTREAM) must not hold a password: requests are signed.');
  }
  if (!env.GANTRY_VIEWER_KEY) {
    throw new UsageError('GANTRY_VIEWER_KEY is missing: 32 bytes or more, shared with the site.');
  }
  const keyed = env.GANTRY_IDEMPOTENT_POSTS ?? '';
  if (!/^[01]?$/.test(keyed)) throw new UsageError(`GANTRY_IDEMPOTENT_POSTS must be 0 or 1, not "${keyed}".`);
  const records = recordsKey(flags, env);
  if (records && !upstream.endsWith('/social/rest')) {
    throw new UsageError('--records-key is for a Gantry: its REST root ends with /social/rest.');
  }
  const origins = media.split(',').map((each) => each.trim());
  return {
    upstreamUrl: upstream,
    ...(records && { records }),
    honoursKeys: flags['idempotent-posts'] === true || keyed === '1',
    mediaOrigins: origins
      .filter((each) => each !== '')
      .map((each) => origin(each, '--media-origin (GANTRY_MEDIA_ORIGINS)')),
  };
}

/** Reads key and secret. No flag takes the secret: all processes of a machine can read flags. */
function recordsKey(flags: Flags, env: Environment): { readonly key: string; readonly secret: string } | undefined {
  const key = (flags['records-key'] as string | undefined) || env.GANTRY_RECORDS_KEY || undefined;
  const secret = env.GANTRY_RECORDS_SECRET || undefined;
  if (key !== undefined && secret !== undefined) return { key, secret };
  if (key === undefined && secret === undefined) return undefined;
  throw new UsageError(
    key === undefined
      ? 'GANTRY_RECORDS_SECRET is set without its key: name that with --records-key (GANTRY_RECORDS_KEY).'
      : 'GANTRY_RECORDS_SECRET is missing: the secret of --records-key.',
  );
}

function callLimit(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new UsageError(`GANTRY_CALLS_PER_MINUTE must be a whole number, 0 for no limit, not "${text}".`);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port (PORT) must be a number from 0 to 65535, not "${text}".`);
  return port;
}

function strongKey(text: string): Uint8Array {
  const key = new TextEncoder().encode(text);
  if (key.byteLength >= 32) return key;
  throw new UsageError(`GANTRY_VIEWER_KEY must have 32 or more bytes; this one has ${key.byteLength}.`);
}

function signInAddress(text: string): string {
  const name = '--sign-in-url (GANTRY_SIGN_IN_URL)';
  if (/^(https?:\/\/|\/(?![/\\]))/.test(text) && URL.canParse(text, 'http://site')) return text;
  throw new UsageError(`${name} must be an address or a path such as /sign-in, not "${text}".`);
}

function strongToken(text: string): string {
  if (/^[\x21-\x7e]{16,}$/.test(text)) return text;
  throw new UsageError('GANTRY_METRICS_TOKEN must have 16 or more printable characters without spaces.');
}

function seconds(text: string, name: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(`${name} must be whole seconds from 0 to 999, not "${text}".`);
  return Number(text);
}
