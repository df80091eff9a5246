import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { signRequest } from '@gantry/oauth';
import { readServerConfiguration, startServer } from '@gantry/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { checkApp } from '../../src/app-check/check-app.ts';
import { type Finding, findingLine } from '../../src/app-check/finding.ts';
import { gantry as run } from '../running-site.ts';

let data: string;
beforeEach(() => {
  data = folderForTest();
});

const gantry = (...args: string[]) => run(data, ...args);

async function file(name: string, content: unknown): Promise<string> {
  const path = join(data, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const world = {
  members: [
    { id: '1', displayName: 'Ada' },
    { id: '2', displayName: 'Bo' },
  ],
  friendships: [['1', '2']],
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes/' }],
  installs: [{ appId: 'notes', memberId: '1' }],
};

test.each(['serve', 'proxy', 'import', 'export', 'generate', 'app', 'consumer', 'keys', 'settings', 'admin', 'bucket'])(
  'gantry %s --help shows examples',
  async (command) => {
    const { code, out } = await gantry(command, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/Examples:\n {2}gantry /);
  },
);

test('an unknown command or flag is refused with a pointer to --help', async () => {
  expect(await gantry('nonsense')).toEqual({
    code: 2,
    out: '',
    err: 'gantry has no command "nonsense". See gantry --help.',
  });
  expect(await gantry('consumer', 'list', '--frobnicate')).toMatchObject({ code: 2, out: '' });
});

test('import loads a world and says what it loaded', async () => {
  expect(await gantry('import', await file('world.json', world))).toMatchObject({
    code: 0,
    out: 'Imported 2 members, 1 friendship, 1 app, 1 install.',
  });
  const { out } = await gantry('import', await file('world.json', world), '--json');
  expect(JSON.parse(out).counts).toMatchObject({ members: 2, friendships: 1 });
});

test('import says what it left out', async () => {
  const { code, err } = await gantry(
    'import',
    await file('world.json', { ...world, site: { name: 'S', publicUrl: 'https://s.example' } }),
  );
  expect(code).toBe(0);
  expect(err).toContain('site.publicUrl is ignored: the address is set when the server starts.');
});

test('import of a bad record changes nothing and names it by its path (contract §9)', async () => {
  const bad = { ...world, members: [...world.members, { id: '3', displayName: 7 }] };
  const { code, err } = await gantry('import', await file('world.json', bad));
  expect(code).toBe(1);
  expect(err).toContain('members[2].displayName');
  expect(await gantry('consumer', 'add', '--kind', 'member', '--member', '1')).toMatchObject({
    code: 1,
    err: 'There is no member 1.',
  });
});

test.each([
  ['is missing', 'gone.json', undefined, /gone\.json cannot be read \(ENOENT\)/],
  ['is not JSON', 'world.json', '{', /world\.json is not JSON/],
])('a world file that %s is one clear line', async (_, name, content, message) => {
  const path = content === undefined ? join(data, name) : await file(name, content);
  const { code, err } = await gantry('import', path);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err.split('\n')).toHaveLength(1);
});

test('a running server honours a new key at once, and refuses a revoked one', async () => {
  await gantry('import', await file('world.json', world));
  const server = await startServer({
    configuration: readServerConfiguration(['--port', '0', '--data', data], {}),
    viewer: async () => undefined,
  });
  const url = `${server.url}/social/rest/people/@me/@friends?xoauth_requestor_id=1`;
  const ask = async (consumer: { key: string; secret: string }) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const { authorization } = signRequest({ method: 'GET', url, consumer, timestamp, nonce: crypto.randomUUID() });
    return fetch(url, { headers: { Authorization: authorization } });
  };
  try {
    const made = JSON.parse((await gantry('consumer', 'add', '--kind', 'app', '--app', 'notes', '--json')).out);
    const answer = await ask(made);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ entry: [{ id: '2', displayName: 'Bo' }], totalResults: 1 });
    expect((await gantry('consumer', 'list')).out).toContain(made.key);
    expect((await gantry('consumer', 'list', '--json')).out).not.toContain(made.secret);
    expect(await gantry('consumer', 'revoke', made.key)).toMatchObject({ code: 0, out: `Revoked ${made.key}.` });
    expect((await ask(made)).status).toBe(401);
    expect(await gantry('consumer', 'revoke', made.key)).toMatchObject({ code: 2 });
  } finally {
    await server.close();
  }
});

test('a key for RSA-SHA1 takes a public key, and has no secret', async () => {
  await gantry('import', await file('world.json', world));
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = await file('printer.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const add = ['consumer', 'add', '--kind', 'member', '--member', '1'];
  const made = await gantry(...add, '--public-key', pem, '--title', 'Printer', '--require-body-hash');
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^key {5}[0-9a-f]{32}$/), err: '' });
  expect(Object.keys(JSON.parse((await gantry(...add, '--public-key', pem, '--json')).out))).toEqual(['key']);
  expect((await gantry('consumer', 'list')).out).toMatch(/member {2}1 {4}RSA-SHA1 {2}Printer/);
  expect(JSON.parse((await gantry('consumer', 'list', '--json')).out)[0]).toMatchObject({
    method: 'RSA-SHA1',
    title: 'Printer',
    requireBodyHash: true,
  });
});

test.each([
  [['--method', 'PLAINTEXT'], 2, '--method must be one of HMAC-SHA1, HMAC-SHA256, RSA-SHA1.'],
  [['--method', 'RSA-SHA1'], 1, 'A consumer with RSA-SHA1 needs its public key, in PEM.'],
  [['--public-key', '/nowhere.pem'], 2, '/nowhere.pem cannot be read (ENOENT).'],
])('gantry consumer add with %j says what would be right', async (flags, code, err) => {
  await gantry('import', await file('world.json', world));
  expect(await gantry('consumer', 'add', '--kind', 'member', '--member', '1', ...flags)).toEqual({
    code,
    out: '',
    err,
  });
});

test('an app with a bad manifest is refused with the mistake, and nothing is registered', async () => {
  await file('index.html', '<!doctype html>');
  await file('gadget.json', { name: 'Quiz', page: 'index.html', height: 'tall' });
  const { code, err } = await gantry('app', 'add', data, '--id', 'quiz');
  expect(code).toBe(1);
  expect(err).toContain('height');
  expect((await gantry('app', 'list', '--json')).out).toBe('[]');
});

test('a remote app needs an id', async () => {
  expect(await gantry('app', 'add', 'https://apps.example/quiz/')).toMatchObject({
    code: 2,
    err: 'A remote app needs --id ID.',
  });
  expect(await gantry('app', 'add', 'https://apps.example/quiz/', '--id', 'quiz')).toMatchObject({ code: 0 });
});

test('a taken port is one clear line (security rule 24)', async () => {
  const configuration = readServerConfiguration(['--port', '0', '--data', data], {});
  const server = await startServer({ configuration, viewer: async () => undefined });
  const port = new URL(server.url).port;
  expect(await gantry('serve', '--port', port)).toEqual({
    code: 2,
    out: '',
    err: `Port ${port} is taken. Stop the program that uses it, or choose another port with PORT or --port.`,
  });
  await server.close();
});

test('generate writes a file that is whole, or none, and refuses sizes that are none', async () => {
  const out = join(data, 'small.jsonl');
  expect(await gantry('generate', '--members', '50', '--out', out)).toMatchObject({ code: 0 });
  const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('{"kind":"member"'))).toHaveLength(50);
  expect(await gantry('generate', '--members', '0')).toEqual({
    code: 2,
    out: '',
    err: '--members must be a whole number from 1 to 100000000, not "0".',
  });
  expect(await gantry('generate')).toMatchObject({ code: 2, err: 'gantry generate needs --members N.' });
});

test('export writes what import loads, with the photos beside it; secrets only where they are asked for', async () => {
  await gantry('import', await file('world.json', world));
  await gantry('consumer', 'add', '--kind', 'member', '--member', '1');
  const out = join(data, 'site.jsonl');
  expect(await gantry('export', '--out', out)).toEqual({
    code: 0,
    out: `Wrote 5 records to ${out}.`,
    err: expect.stringContaining('Left out with their secrets: 1 consumer key. See --with-secrets.'),
  });
  expect(await readFile(out, 'utf8')).not.toContain('"secret"');
  expect((await stat(out)).mode & 0o777).toBe(0o600); // members' data are in it (security rule 30)
  expect(await gantry('import', out, '--data', join(data, 'copy'))).toMatchObject({
    code: 0,
    out: 'Imported 5 records.',
  });
  const { out: again } = await gantry('export', '--out', out, '--with-secrets', '--media', join(data, 'photos'));
  expect(again).toBe(`Wrote 6 records to ${out}.`);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
});

test('an import that kill -9 ends goes on where it stopped, and the site is the same in the end (contract §9)', async () => {
  const path = join(data, 'world.jsonl');
  await gantry('generate', '--members', '2000', '--out', path);
  const killed = join(data, 'killed');
  const bin = fileURLToPath(new URL('../../bin/gantry.js', import.meta.url));
  const child = spawn(process.execPath, [bin, 'import', path, '--data', killed], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stderr)) if (line.includes('%')) break; // some transactions are committed
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  const resumed = await gantry('import', path, '--data', killed);
  expect(resumed).toMatchObject({ code: 0, err: expect.stringMatching(/^Resumed at line [1-9]\d*,\d{3}\.$/m) });
  await gantry('import', path, '--data', join(data, 'whole'));
  const files = ['killed', 'whole'].map((name) => join(data, `${name}.jsonl`));
  await gantry('export', '--data', killed, '--out', files[0] as string);
  await gantry('export', '--data', join(data, 'whole'), '--out', files[1] as string);
  const [first, second] = await Promise.all(files.map((file) => readFile(file)));
  expect(first?.equals(second as Buffer)).toBe(true);
});

test('a member who is taken away leaves nothing of what they let apps do', async () => {
  await gantry('import', await file('world.json', world));
  const db = new DatabaseSync(join(data, 'gantry.db'));
  db.exec(`insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms) values ('1', 'notes', 'people', 1, 'd', 1), ('2', 'notes', 'people', 1, 'd', 1);
    insert into write_log values ('1', 'notes', 'w', 'd', 'done', 'a', null, 1)`);
  const gone = await file('gone.jsonl', '{"kind":"member","id":"1","deleted":true}\n');
  expect(await gantry('import', gone)).toMatchObject({ code: 0 });
  expect(db.prepare('select viewer from app_grants').all()).toEqual([{ viewer: '2' }]);
  expect(db.prepare('select viewer from write_log').all()).toEqual([]);
  db.close();
});

describe('gantry app check', () => {
  async function folder(manifest: unknown, page: string): Promise<string> {
    await file('gadget.json', manifest);
    await file('index.html', page);
    return data;
  }

  test('says what members will be asked, in the words that they read', async () => {
    const manifest = {
      name: 'Birthdays',
      page: 'index.html',
      uses: ['people.get'],
      fields: ['birthday'],
      optional: { uses: ['activities.create'] },
    };
    const page =
      '<script src="/gantry/osapi.js"></script><script>osapi.people.getViewer(); osapi.activities.create({})</script>';
    expect(await gantry('app', 'check', await folder(manifest, page))).toEqual({
      code: 0,
      out: [
        'Members are asked to let Birthdays:',
        '  - See your name and picture, and those of your friends (people)',
        '  - See your birthday and those of your friends (people.birthday)',
        'While it runs it may ask them to let it:',
        '  - Post to your stream in your name (activities.post)',
        'A site serves 2 files, 236 B (the largest: gadget.json, 126 B): all of the folder.',
        'It can be registered: gantry app add.',
      ].join('\n'),
      err: '',
    });
  });

  test('says the version, icon and languages of an app, for people and as JSON', async () => {
    const languages = { de: { name: 'Uhr' }, fr: { description: 'Il est…' } };
    const manifest = { name: 'Clock', page: 'index.html', version: '1.4.2', icon: 'icon.svg', languages };
    await file('icon.svg', '<svg>');
    const app = await folder(manifest, '<script src="/gantry/osapi.js"></script>');
    expect((await gantry('app', 'check', app)).out.split('\n')).toEqual([
      'Clock asks members for nothing.',
      'Version: 1.4.2',
      'Icon: icon.svg',
      'Languages: de (Uhr), fr (Clock)',
      'A site serves 3 files, 184 B (the largest: gadget.json, 139 B): all of the folder.',
      'It can be registered: gantry app add.',
    ]);
    const { version, facts } = JSON.parse((await gantry('app', 'check', app, '--json')).out);
    expect([version, facts]).toEqual([2, { version: '1.4.2', icon: 'icon.svg', languages: ['de', 'fr'] }]);
  });

  test('warns of files that are missing, addresses that do not load, and calls that are not declared or not made', async () => {
    const manifest = { name: 'Clock', page: 'index.html', uses: ['appdata.get'], hosts: ['https://img.example'] };
    const page = `<link rel="stylesheet" href="clock.css">
      <img src="https://img.example/a.png"><img src="https://elsewhere.example/a.png">
      <img src="http://img.example/a.png"><img src="/clock.png"><img src="data:,">
      <script>osapi.people.get?.(); rows = ['people.create', 'albums.get'];</script>`;
    const { code, out } = await gantry('app', 'check', await folder(manifest, page), '--json');
    expect(code).toBe(0);
    const { version, findings } = JSON.parse(out) as { version: number; findings: readonly Finding[] };
    expect(version).toBe(2);
    expect(findings.map(findingLine)).toEqual([
      "index.html:1:30: clock.css is not in the app's folder: the element that names it stays empty. Add the file, or correct its name; capitals count. [file-missing]",
      'index.html:2:54: A file of https://elsewhere.example is refused: gadget.json does not list this origin. Add it to `hosts` in gadget.json, which members are asked about, or save the file in the folder. [host-not-listed]',
      'index.html:3:17: A file of http://img.example is refused: the frame loads over https only. Write https: in its address, and list the origin in `hosts` of gadget.json; or save the file in the folder. [insecure-address]',
      "index.html:3:53: /clock.png is no file of the app: an address that begins with / leads to the site. Name files relative to the page, in a Vite build with `base: './'`; only /gantry/ is there for apps. [absolute-path]",
      'index.html: The page does not load /gantry/osapi.js: without the SDK the app does not start. Load /gantry/osapi.js with a plain script tag before anything else of the app. [no-sdk]',
      'The app calls people.get, which gadget.json does not list: the site refuses it. Add it to `uses` in gadget.json; members are asked for it when they next open the app. [undeclared-call]',
      'gadget.json: Members are asked for appdata.get, which no script of the folder calls. Remove it from `uses`: members rather allow fewer permissions. [unused-call]',
    ]);
  });

  test('warns of data that is kept in the browser without asking for storage, also when the app is added (security rule 4)', async () => {
    const manifest = { name: 'Diary', page: 'index.html' };
    const page = '<script src="/gantry/osapi.js"></script>\n<script>localStorage.day = document.cookie</script>';
    const warning =
      'index.html:2:9: The app keeps data in the browser (localStorage), which its frame refuses: it has no origin of its own. Keep what belongs to the place with `gantry.state`, what belongs to the member with `osapi.appdata`; or ask for `"storage": true` in gadget.json, for sites that give each app a host. [browser-storage]';
    const second = warning.replace('2:9', '2:28').replace('localStorage', 'document.cookie');
    const err = `Warning: ${warning}\nWarning: ${second}`;
    const diary = await folder(manifest, page);
    expect((await gantry('app', 'check', diary)).err).toBe(err);
    const out = expect.stringMatching(/^Registered diary: Diary\n/);
    expect(await gantry('app', 'add', diary, '--id', 'diary')).toEqual({ code: 0, out, err });
  });

  test('says what a site has to offer an app that asks for storage, unless it does (security rule 4)', async () => {
    const manifest = { name: 'Diary', page: 'index.html', storage: true };
    const page = '<script src="/gantry/osapi.js"></script><script>localStorage.day = 1</script>';
    const diary = await folder(manifest, page);
    expect((await gantry('app', 'check', diary)).err).toBe(
      'Warning: gadget.json: Only sites that give each app its own host show an app that asks for storage. Let the site set `gantry serve --apps-host *.apps.example`, or do without storage of the browser. [storage-needs-host]',
    );
    expect((await checkApp(diary, { appsHost: 'sandbox.example' })).findings).toHaveLength(1);
    for (const appsHost of ['*.apps.example', 'https://*.apps.example']) {
      expect((await checkApp(diary, { appsHost })).findings).toEqual([]); // the control
    }
  });

  test('ends with code 1 and the place of a mistake in gadget.json', async () => {
    const { code, err } = await gantry('app', 'check', await folder('{\n  "name": "Clock",\n}', ''));
    expect({ code, err }).toEqual({
      code: 1,
      err: 'gadget.json is not JSON: there is a comma after the last item. Correct line 3, column 1.',
    });
    const missing = await gantry('app', 'check', join(data, 'nowhere'));
    expect(missing).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^There is no folder /),
    });
  });
});
