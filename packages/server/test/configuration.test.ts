import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { configuration, upstreamSettings } from '../src/configuration.ts';

test('defaults: port 4400 on this machine only, everything in .gantry', () => {
  expect(configuration({}, {})).toEqual({
    port: 4400,
    host: '127.0.0.1',
    data: resolve('.gantry'),
    database: resolve('.gantry/gantry.db'),
    graceSeconds: 0,
    logLevel: 'warn',
    secretTexts: [],
  });
});

test('a flag beats the environment, the environment beats the default', () => {
  const env = {
    PORT: '5000',
    GANTRY_DATA: '/a',
    GANTRY_URL: 'https://social.example',
    GANTRY_APPS_HOST: '*.apps.example',
  };
  expect(configuration({ port: '6000' }, env)).toMatchObject({
    port: 6000,
    data: '/a',
    database: '/a/gantry.db',
    url: 'https://social.example',
    appsHost: 'https://*.apps.example',
  });
});

test('DATABASE_URL counts where nothing else names a database, and no gantry.db exists', () => {
  const data = folderForTest();
  const env = { GANTRY_DATA: data, DATABASE_URL: 'postgres://u:p@h/found' };
  const read = (flags = {}, more = {}) => {
    const { database, databaseIsFound } = configuration(flags, { ...env, ...more });
    return [database, databaseIsFound];
  };
  expect(read()).toEqual(['postgres://u:p@h/found', true]);
  expect(read({ database: 'postgres://h/flag' })).toEqual(['postgres://h/flag', undefined]);
  expect(read({}, { GANTRY_DATABASE: 'postgres://h/ours' })).toEqual(['postgres://h/ours', undefined]);
  expect(read({}, { DATABASE_URL: 'mysql://h/other' })).toEqual([join(data, 'gantry.db'), undefined]);
  expect(() => read({}, { DATABASE_URL: 'postgres://u:secret@h' })).toThrow(
    /^DATABASE_URL must be .*"postgres:\/\/…@h"/,
  );
  writeFileSync(join(data, 'gantry.db'), '');
  expect(read()).toEqual([join(data, 'gantry.db'), undefined]);
});

test('the address to listen at beside a pooler is a PostgreSQL', () => {
  const read = (text?: string) => configuration({}, { GANTRY_DATABASE_DIRECT: text }).directUrl;
  expect(read()).toBeUndefined();
  expect(read('postgres://h:5432/d')).toBe('postgres://h:5432/d');
  expect(() => read('mysql://u:secret@h/d')).toThrow(/^GANTRY_DATABASE_DIRECT must be .*not "mysql:\/\/…@h\/d"/);
});

test('standbys come from repeated flags or one variable, and only of a PostgreSQL', () => {
  const database = 'postgres://h/d';
  const read = (flags = {}, env = {}) => configuration({ database, ...flags }, env).replicas;
  expect(read()).toBeUndefined();
  expect(read({}, { GANTRY_REPLICAS: 'postgres://a/d postgres://b/d' })).toEqual(['postgres://a/d', 'postgres://b/d']);
  expect(read({ replica: ['postgres://c/d'] }, { GANTRY_REPLICAS: 'postgres://a/d' })).toEqual(['postgres://c/d']);
  expect(() => read({ replica: ['mysql://u:secret@h/d'] })).toThrow(/must be postgres:.*not "mysql:\/\/…@h\/d"/);
  expect(() => read({ database: 'site.db', replica: ['postgres://c/d'] })).toThrow(/SQLite has no standbys\.$/);
});

test.each([
  [{ port: 'many' }, '--port (PORT) must be a number from 0 to 65535, not "many".'],
  [{ port: '70000' }, '--port (PORT) must be a number from 0 to 65535, not "70000".'],
  [
    { url: 'social.example' },
    '--url (GANTRY_URL) must be an address such as https://social.example, without a path, not "social.example".',
  ],
  [
    { url: 'https://a.example/path' },
    `--url (GANTRY_URL) must be an address without a path, not "https://a.example/path": Gantry's paths begin at the root of the host. Use https://a.example, and pass those paths on from there.`,
  ],
  [
    { database: 'mysql://u:secret@h/d?password=secret' },
    '--database (GANTRY_DATABASE) must be the path of an SQLite file or postgres://user@host/database, not "mysql://…@h/d".',
  ],
  [
    { database: 'postgres://u:secret@h' },
    '--database (GANTRY_DATABASE) must be the path of an SQLite file or postgres://user@host/database, not "postgres://…@h".',
  ],
  [
    { 'trust-proxy': '10.0.0.0/8, proxy.example' },
    '--trust-proxy (GANTRY_TRUSTED_PROXIES) must be addresses or ranges such as 10.0.0.0/8,::1, not "proxy.example".',
  ],
  [
    { 'trust-proxy': '10.0.0.0/33' },
    '--trust-proxy (GANTRY_TRUSTED_PROXIES) must be addresses or ranges such as 10.0.0.0/8,::1, not "10.0.0.0/33".',
  ],
  [{ grace: '-1' }, '--grace (GANTRY_GRACE) must be whole seconds from 0 to 999, not "-1".'],
])('%j is refused with the right form', (flags, message) => {
  expect(() => configuration(flags, {})).toThrow(message);
});

test.each([
  [{ GANTRY_URL: 'https://a.example/path' }, [], /^--url \(GANTRY_URL\) must be an address without a path, .*\n$/],
  [{}, ['--prot', '80'], /^Unknown option '--prot'.*\n$/],
  [{ GANTRY_ENV_FILE: '/none' }, [], /^GANTRY_ENV_FILE names \/none, which cannot be read \(ENOENT\)\.\n$/],
  [{ GANTRY_APPS_HOST: 'localhost' }, [], /^\S.* It is set with --apps-host or GANTRY_APPS_HOST\.\n$/],
  [{ GANTRY_DATA: '/dev/null/data' }, [], /^The data folder \/dev\/null\/data cannot be used \(\w+\)\. .*\n$/],
])('a site of its own ends with one sentence before it listens: %j %j', (env, args, said) => {
  const site = `import { readServerConfiguration, runServer } from '@gantry/server';
    await runServer({ configuration: readServerConfiguration(process.argv.slice(1), process.env) });`;
  const flags = ['--conditions=@gantry/source', '--input-type=module', '-e', site, '--', '--port', '0', ...args];
  const ran = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, ...env },
  });
  expect([ran.status, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toMatch(said);
});

test('the level of the log is one of seven words, and another one names the nearest (security rule 24)', () => {
  expect(configuration({}, { GANTRY_LOG: 'info' }).logLevel).toBe('info');
  expect(configuration({}, { GANTRY_LOG: '' }).logLevel).toBe('warn');
  expect(() => configuration({}, { GANTRY_LOG: 'wran' })).toThrow(
    'GANTRY_LOG must be one of trace, debug, info, warn, error, fatal, silent, not "wran". Did you mean warn?',
  );
});

test.each([
  [{}, {}, false],
  [{ 'idempotent-posts': true }, {}, true],
  [{}, { GANTRY_IDEMPOTENT_POSTS: '1' }, true],
  [{}, { GANTRY_IDEMPOTENT_POSTS: '0' }, false],
])(
  'posts are repeated only before a site of which the operator says that it does each once: %j %j',
  (flags, env, honoursKeys) => {
    const site = { GANTRY_UPSTREAM: 'https://site.example/rest', GANTRY_VIEWER_KEY: 'k'.repeat(32) };
    expect(upstreamSettings(flags, { ...site, ...env })).toMatchObject({ honoursKeys });
    expect(() => upstreamSettings(flags, { ...site, GANTRY_IDEMPOTENT_POSTS: 'yes' })).toThrow(
      'GANTRY_IDEMPOTENT_POSTS must be 0 or 1, not "yes".',
    );
  },
);

test('the key that tells a Gantry who has which app comes with its secret, which no flag takes (security rule 8)', () => {
  const site = { GANTRY_UPSTREAM: 'https://site.example/social/rest', GANTRY_VIEWER_KEY: 'k'.repeat(32) };
  const read = (flags: Record<string, string>, env: Record<string, string> = {}) =>
    upstreamSettings(flags, { ...site, ...env });
  const secret = { GANTRY_RECORDS_SECRET: 'hush' };
  expect(read({})).not.toHaveProperty('records');
  expect(read({ 'records-key': 'k' }, secret)).toMatchObject({ records: { key: 'k', secret: 'hush' } });
  expect(read({}, { GANTRY_RECORDS_KEY: 'k', ...secret })).toMatchObject({ records: { key: 'k', secret: 'hush' } });
  expect(() => read({ 'records-key': 'k' })).toThrow('GANTRY_RECORDS_SECRET is missing');
  expect(() => read({}, secret)).toThrow('name that with --records-key');
  expect(() => read({ 'records-key': 'k', upstream: 'https://site.example/rest' }, secret)).toThrow(
    '--records-key is for a Gantry: its REST root ends with /social/rest.',
  );
});

test('a metrics token that could be guessed is refused, and not repeated (security rule 8)', () => {
  const read = (token: string) => () => configuration({}, { GANTRY_METRICS_TOKEN: token });
  expect(read('short-secret')).toThrow(
    'GANTRY_METRICS_TOKEN must have 16 or more printable characters without spaces.',
  );
  expect(read('long-enough-a-secret')()).toMatchObject({ metricsToken: 'long-enough-a-secret' });
});

test('the number of kept versions is a whole number from 0 to 999 (guide to versions)', () => {
  const kept = (text: string) => configuration({}, { GANTRY_KEPT_VERSIONS: text }).keptVersions;
  expect([kept('0'), kept('25'), kept('')]).toEqual([0, 25, undefined]);
  for (const text of ['1000', '-1', 'ten']) {
    expect(() => kept(text)).toThrow(`GANTRY_KEPT_VERSIONS must be a whole number from 0 to 999, not "${text}".`);
  }
});
