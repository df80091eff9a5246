import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ExistingSite } from './create-site-proxy.ts';
import type { GantryOptions } from './gantry.ts';
import { bucketAddress } from './setup/bucket-address.ts';
import { type DatabaseSetting, databaseSetting, directAddress, requireReplicasOf } from './setup/database-address.ts';
import { type Environment, withEnvironmentFile } from './setup/environment-file.ts';
import { inheritedSocket, type ListenPlace } from './setup/listen-place.ts';
import { type LogLevel, readLogLevel } from './setup/log-level.ts';
import { type Secrets, secretTexts } from './setup/secrets.ts';
import { appsOrigin, origin, siteOrigin, trustedProxies } from './setup/site-addresses.ts';
import { endProcess, UsageError } from './setup/usage-error.ts';
import { refuseSecondFolder, refuseWebRoot } from './setup/web-root.ts';

type Shared = 'data' | 'bucket' | 'replicas' | 'appsHost' | 'signInUrl' | 'callsPerMinute' | 'keptVersions';

/** Configuration of a server: from flags, then environment, then defaults. */
export interface Configuration extends ListenPlace, DatabaseSetting, Secrets, Pick<GantryOptions, Shared> {
  /** Public address, an origin. Absent: `http://localhost:<port>`. */
  readonly url?: string | undefined;
  /** Reverse proxies whose `X-Forwarded-For` and `X-Request-Id` are believed. */
  readonly trustedProxies?: BlockList | undefined;
  /** Time for which a stopping server still accepts, so that load balancers notice. */
  readonly graceSeconds: number;
  readonly logLevel: LogLevel;
  /** Texts that no log and no error may have. */
  readonly secretTexts: readonly string[];
}

/** Flags of every command. */
export const dataFlags = { data: { type: 'string' }, database: { type: 'string' } } as const;
export const serverFlags = {
  ...dataFlags,
  port: { type: 'string' },
  host: { type: 'string' },
  socket: { type: 'string' },
  url: { type: 'string' },
  'apps-host': { type: 'string' },
  'trust-proxy': { type: 'string' },
  grace: { type: 'string' },
  'sign-in-url': { type: 'string' },
} as const;

/** Flags of a whole site. */
export const siteFlags = {
  ...serverFlags,
  bucket: { type: 'string' },
  replica: { type: 'string', multiple: true },
} as const;

type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Reads the configuration without the `gantry` command. A malformed setting exits with 2. */
export function readServerConfiguration(args: readonly string[], env: Environment): Configuration {
  try {
    const { values } = parseArgs({ args: [...args], options: siteFlags });
    return configuration(values, withEnvironmentFile(env));
  } catch (error) {
    return endProcess(error);
  }
}

/**
 * Reads the configuration from parsed flags and the environment.
 *
 * @throws UsageError that names the setting, its value and what it should be.
 */
export function configuration(flags: Flags, env: Environment): Configuration {
  const variable = (name: string) => env[name] || undefined;
  const read = (flag: string, name: string) => (flags[flag] as string | undefined) ?? variable(name);
  const named = read('data', 'GANTRY_DATA');
  const data = resolve(named ?? '.gantry');
  if (named === undefined) {
    refuseSecondFolder(data);
    refuseWebRoot(data);
  }
  const url = read('url', 'GANTRY_URL');
  const path = given(read('socket', 'GANTRY_SOCKET'), (text) => resolve(text));
  if (path !== undefined && url === undefined) {
    throw new UsageError(
      '--socket (GANTRY_SOCKET) needs --url (GANTRY_URL): without a port there is no default address.',
    );
  }
  const replicas = (flags.replica as readonly string[] | undefined) ?? variable('GANTRY_REPLICAS')?.split(/\s+/);
  const place = databaseSetting(read('database', 'GANTRY_DATABASE'), { data, databaseUrl: variable('DATABASE_URL') });
  requireReplicasOf(place.database, replicas ?? []);
  return {
    port: wholeNumber(read('port', 'PORT') ?? '4400', port),
    host: read('host', 'GANTRY_HOST') ?? '127.0.0.1',
    path,
    socket: inheritedSocket(env, process.pid),
    data,
    ...place,
    directUrl: given(variable('GANTRY_DATABASE_DIRECT'), directAddress),
    ...(replicas && { replicas }),
    bucket: given(read('bucket', 'GANTRY_BUCKET'), (text) => {
      bucketAddress(text, '--bucket (GANTRY_BUCKET)');
      return text;
    }),
    url: given(url, (text) => siteOrigin(text, '--url (GANTRY_URL)')),
    appsHost: given(read('apps-host', 'GANTRY_APPS_HOST'), (text) =>
      appsOrigin(text, url, '--apps-host (GANTRY_APPS_HOST)'),
    ),
    trustedProxies: given(read('trust-proxy', 'GANTRY_TRUSTED_PROXIES'), (text) =>
      trustedProxies(text, '--trust-proxy (GANTRY_TRUSTED_PROXIES)'),
    ),
    viewerKey: given(variable('GANTRY_VIEWER_KEY'), (text) => strongKey(text, 'GANTRY_VIEWER_KEY')),
    masterKey: given(variable('GANTRY_MASTER_KEY'), (text) => strongKey(text, 'GANTRY_MASTER_KEY')),
    signInUrl: given(read('sign-in-url', 'GANTRY_SIGN_IN_URL'), signInAddress),
    // No flag: every process of the machine can read flags.
    metricsToken: given(variable('GANTRY_METRICS_TOKEN'), strongToken),
    callsPerMinute: given(variable('GANTRY_CALLS_PER_MINUTE'), (text) => wholeNumber(text, callLimit)),
    keptVersions: given(variable('GANTRY_KEPT_VERSIONS'), (text) => wholeNumber(text, versionCount)),
    graceSeconds: wholeNumber(read('grace', 'GANTRY_GRACE') ?? '0', grace),
    logLevel: readLogLevel(env, 'warn'),
    secretTexts: secretTexts(env),
  };
}

/** Checks and converts a setting that may be absent. */
function given<T>(text: string | undefined, convert: (text: string) => T): T | undefined {
  return text === undefined ? undefined : convert(text);
}

/** Reads the settings that only `gantry proxy` has. @throws UsageError that names the setting. */
export function upstreamSettings(flags: Flags, env: Environment): ExistingSite {
  const upstream = ((flags.upstream as string | undefined) ?? env.GANTRY_UPSTREAM ?? '').replace(/\/+$/, '');
  const media = (flags['media-origin'] as string | undefined) ?? env.GANTRY_MEDIA_ORIGINS ?? '';
  const parsed = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href.replace(/\/$/, '') !== upstream || parsed.search) {
    const rule = 'must be the REST root of the site, such as https://site.example/social/rest';
    throw new UsageError(`--upstream (GANTRY_UPSTREAM) ${rule}${upstream === '' ? '.' : `, not "${upstream}".`}`);
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
  return {
    upstreamUrl: upstream,
    ...(records && { records }),
    honoursKeys: flags['idempotent-posts'] === true || keyed === '1',
    mediaOrigins: media
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => origin(each, '--media-origin (GANTRY_MEDIA_ORIGINS)')),
  };
}

/** Reads key and secret. No flag takes the secret: all processes of a machine can read flags. */
function recordsKey(flags: Flags, env: Environment): ExistingSite['records'] | undefined {
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

const port = { most: 65_535, rule: '--port (PORT) must be a number from 0 to 65535' };
const grace = { most: 999, rule: '--grace (GANTRY_GRACE) must be whole seconds from 0 to 999' };
const callLimit = { most: 9_999_999, rule: 'GANTRY_CALLS_PER_MINUTE must be a whole number, 0 for no limit' };
const versionCount = { most: 999, rule: 'GANTRY_KEPT_VERSIONS must be a whole number from 0 to 999' };

/** @param rule Requirement on the setting, for the error. */
function wholeNumber(text: string, { most, rule }: { readonly most: number; readonly rule: string }): number {
  const isWhole = /^\d+$/.test(text) && text.length <= String(most).length;
  if (isWhole && Number(text) <= most) return Number(text);
  throw new UsageError(`${rule}, not "${text}".`);
}

/** Returns the bytes of a key. @throws UsageError that names the setting of a short one. */
export function strongKey(text: string, name: string): Uint8Array {
  const key = new TextEncoder().encode(text);
  if (key.byteLength >= 32) return key;
  throw new UsageError(`${name} must have 32 or more bytes; this one has ${key.byteLength}.`);
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
