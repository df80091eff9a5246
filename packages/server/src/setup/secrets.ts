import { readFileSync } from 'node:fs';
import * as querystring from 'node:querystring';
import { UsageError } from './usage-error.ts';

/** Secrets of servers and commands, by variable. `NAME_FILE` names a file with one instead. */
export const secretVariables = {
  GANTRY_MASTER_KEY: 'opens the keys of the site, which are then sealed in its database',
  GANTRY_NEW_MASTER_KEY: 'takes its place: gantry keys reseal',
  GANTRY_VIEWER_KEY: 'signs the tokens that name the signed-in member',
  GANTRY_METRICS_TOKEN: 'opens /metrics',
  GANTRY_RECORDS_SECRET: 'of the key with which gantry proxy reports to a Gantry',
  GANTRY_APP_SECRET: 'of the key that an existing site issued for an app',
  GANTRY_KEY: 'delivers versions of apps to a site',
  GANTRY_DATABASE: 'address of the database, with its password',
  GANTRY_DATABASE_DIRECT: 'address of the PostgreSQL behind a pooler, with its password',
  GANTRY_REPLICAS: 'addresses of standbys, with their passwords',
} as const;

/** Secrets that `createGantry` takes. */
export interface Secrets {
  /** Instead of `viewer`: key of the site's tokens that name the member. At least 32 bytes. */
  readonly viewerKey?: Uint8Array | undefined;
  /** Bearer token for `/metrics`. Absent: only this machine reads it, and only of a local site. */
  readonly metricsToken?: string | undefined;
  /**
   * Opens the site's keys, which are then sealed in the database. At least 32 bytes. Absent: the
   * keys are files of the data folder.
   */
  readonly masterKey?: Uint8Array | undefined;
}

/** Each secret, or a function that fetches it once, at the start. */
export type SecretOptions = {
  readonly [Name in keyof Secrets]: Secrets[Name] | (() => Secrets[Name] | Promise<Secrets[Name]>);
};

/** Read by other programs, too, and so from the environment alone. */
const othersVariables = ['DATABASE_URL', 'PGPASSWORD'] as const;

/** Shorter texts are not recognized in a log: they could be any word. */
export const shortestHidden = 8;

/**
 * Adds the secrets whose files are named, each without the line break at its end.
 *
 * @throws UsageError in one sentence for a file that cannot be read or is empty, or a secret that
 * is also set itself.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = Object.keys(secretVariables).flatMap((name): [string, string][] => {
    const file = env[`${name}_FILE`];
    if (!file) return [];
    if (env[name]) throw new UsageError(`${name} and ${name}_FILE are both set: keep one.`);
    return [[name, readSecret(file, `${name}_FILE`)]];
  });
  return { ...env, ...Object.fromEntries(read) };
}

function readSecret(file: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`${name} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (text === '') throw new UsageError(`${name} names ${file}, which is empty.`);
  return text;
}

/** Resolves with options whose secrets are fetched. */
export async function fetchSecrets<O extends SecretOptions>(options: O): Promise<Omit<O, keyof Secrets> & Secrets> {
  const { viewerKey, metricsToken, masterKey, ...others } = options;
  const [fetchedViewerKey, fetchedToken, fetchedMasterKey] = await Promise.all([
    fetched(viewerKey),
    fetched(metricsToken),
    fetched(masterKey),
  ]);
  return { ...others, viewerKey: fetchedViewerKey, metricsToken: fetchedToken, masterKey: fetchedMasterKey };
}

async function fetched<T>(secret: T | (() => T | Promise<T>)): Promise<T> {
  return secret instanceof Function ? secret() : secret;
}

/** Returns the texts of an environment that nothing may print: of an address, its password. */
export function secretTexts(env: NodeJS.ProcessEnv): readonly string[] {
  const texts = [...Object.keys(secretVariables), ...othersVariables].flatMap((name) => {
    const text = env[name] ?? '';
    return /DATABASE|REPLICAS/.test(name) ? text.split(/\s+/).flatMap(passwordsOf) : [text];
  });
  return texts.filter((text) => text !== '');
}

/** Returns the password of an address, as it stands there and decoded. */
export function passwordsOf(address: string): readonly string[] {
  const password = URL.canParse(address) ? new URL(address).password : '';
  return [password, querystring.unescape(password)];
}

/** Returns a function that takes secrets out of a text, or of a line of JSON. */
export function createRedaction(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const hidden = [...new Set(forms)]
    .filter(({ length }) => length >= shortestHidden)
    .sort((a, b) => b.length - a.length); // one may be a part of another
  return (text) => hidden.reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text);
}
