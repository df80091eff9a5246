import { createSecretKey } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SigningConsumer, type SigningOptions, signRequest } from '@gantry/oauth';
import { sql } from '@gantry/store';
import { SignJWT } from 'jose';
import pg from 'pg';
import pino from 'pino';
import { createSchema } from '../../../store/test/postgres.ts';
import { createGantry, type Gantry } from '../../src/index.ts';

export const fixture = fileURLToPath(new URL('../../../../fixtures/0.1.0/', import.meta.url));

/** The address that the site of the fixtures had. */
export const oldUrl = 'http://harbour.example';

/** A copy of a database of Gantry 0.1.0, and its removal. */
export interface OldDatabase {
  readonly data: string;
  readonly database: string;
  remove(): Promise<void>;
}

export interface OldKind {
  readonly name: string;
  copy(): Promise<OldDatabase>;
}

export const oldDatabases: readonly OldKind[] = [
  {
    name: 'SQLite',
    async copy() {
      const data = await copyOfData();
      const database = join(data, 'gantry.db');
      await copyFile(join(fixture, 'site.sqlite'), database);
      return { data, database, remove: () => rm(data, { recursive: true }) };
    },
  },
  {
    name: 'PostgreSQL',
    async copy() {
      const data = await copyOfData();
      const schema = await createSchema();
      const client = new pg.Client(schema.url); // runs a text of many statements, which `Database` refuses to
      await client.connect();
      await client.query(await readFile(join(fixture, 'site.sql'), 'utf8'));
      await client.end();
      const remove = () => Promise.all([schema.remove(), rm(data, { recursive: true })]).then(() => undefined);
      return { data, database: schema.url, remove };
    },
  },
];

async function copyOfData(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'gantry-old-'));
  await cp(join(fixture, 'data'), data, { recursive: true });
  return data;
}

/** Runs the present code over a copy, and puts a page where the folders of its apps were. */
export async function openOld({ data, database }: OldDatabase): Promise<Gantry> {
  const gantry = await createGantry({ data, database, url: oldUrl, log: pino({ level: 'silent' }) });
  const folder = join(data, 'apps');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>App</title>');
  await gantry.stores.db.query(sql`update app_registrations set folder = ${folder} where folder is not null`);
  return gantry;
}

/** Secrets that clients of the old site hold. */
export interface OldClients {
  readonly printerToken: { readonly key: string; readonly secret: string };
  readonly adminToken: { readonly key: string; readonly secret: string };
  readonly rsaPrivateKey: string;
}

export async function readFixture(name: string): Promise<string> {
  return readFile(join(fixture, name), 'utf8');
}

/** A running site: `Gantry` in this process, or a server elsewhere. */
export type Site = Pick<Gantry, 'fetch'>;

export function send(gantry: Site, path: string, init: RequestInit = {}): Promise<Response> {
  return gantry.fetch(new Request(oldUrl + path, { redirect: 'manual', ...init }), path);
}

export interface OldCall extends Pick<SigningOptions, 'token'> {
  readonly method?: string;
  /** Requestor; absent: none is named. */
  readonly as?: string;
  readonly consumer: SigningConsumer;
  readonly body?: unknown;
}

/** Sends a signed request below the REST root. The body's hash is signed, too. */
export async function ask(gantry: Site, path: string, call: OldCall): Promise<{ status: number; json: unknown }> {
  const { method = 'GET', as, consumer, token, body } = call;
  const target = `/social/rest${path}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { authorization } = signRequest({
    ...{ method, url: oldUrl + target, consumer },
    ...(token && { token }),
    ...(text !== undefined && { body: text }),
    ...(as !== undefined && { parameters: [['xoauth_requestor_id', as]] }),
    timestamp: Math.ceil(Date.now() / 1000), // not before a database server that started in this very second
    nonce: crypto.randomUUID(),
  });
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await send(gantry, target, {
    method,
    headers: { authorization, ...type },
    ...(text !== undefined && { body: text }),
  });
  return { status: answer.status, json: await answer.json() };
}

/**
 * Signs a member in on the site's own page. @returns The cookie of the session; `undefined` for a
 * wrong password.
 */
export async function signIn(gantry: Site, member: string, password: string): Promise<string | undefined> {
  const path = '/account/sign-in';
  const page = await send(gantry, path);
  const [form = ''] = /gantry_form=[^;]+/.exec(page.headers.get('set-cookie') ?? '') ?? [];
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
  const answer = await send(gantry, path, {
    method: 'POST',
    headers: { cookie: form, origin: oldUrl },
    body: new URLSearchParams({ form_token: token, member, password, return: '' }),
  });
  return /gantry_session=[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0];
}

/**
 * Sends what a page of the site sends for its gadgets. @returns One value for each line of the
 * answer.
 */
export async function post(gantry: Site, path: string, options: { cookie: string; body: unknown }): Promise<unknown[]> {
  const { cookie, body } = options;
  const headers = { cookie, origin: oldUrl, 'content-type': 'application/json', 'gantry-container': '1' };
  const answer = await send(gantry, path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Issues the token that a page has held for a gadget since before the key was changed. */
export async function tokenByOldKey(claims: { app: string; viewer: string; instance: string }): Promise<string> {
  const { tokenKeys } = JSON.parse(await readFixture('data/keys.json'));
  const { id, key } = tokenKeys[1];
  return new SignJWT({ ...claims, owner: claims.viewer, container: oldUrl })
    .setProtectedHeader({ alg: 'HS256', kid: id, typ: 'gadget+jwt' })
    .setAudience(`${oldUrl}/gantry/calls`)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(createSecretKey(Buffer.from(key, 'base64url')));
}
