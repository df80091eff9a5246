import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';

// This folder's files as the guide installs them, below another root: the tests start the services
// by their own command lines, with the socket that systemd would pass.

const copies = process.env.GANTRY_EXAMPLES ?? '';
const folder = join(copies, 'deployment');
const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/deployment.md'), 'utf8');
const { NODE_OPTIONS: _, ...plain } = process.env;

let root: string;
let port: number;
let service: ChildProcess;
let log = '';

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  root = mkdtempSync('/tmp/gantry-deployment-'); // not below the runner's folder, which no other user may enter
  chmodSync(root, 0o755);
  for (const path of ['bin', 'etc/systemd/system', 'usr/local/bin', 'var/lib/gantry', 'var/lib/gantry-backups']) {
    mkdirSync(join(root, path), { recursive: true, mode: path.startsWith('var/lib/') ? 0o700 : 0o755 });
  }
  stub('sudo', 'exec "$@"');
  for (const program of ['systemctl', 'curl']) stub(program, `echo ${program} "$@" >>${root}/called`);
  const { status, stderr } = await runBlock('## One machine', 'umask 077');
  expect({ status, error: status === 0 ? '' : stderr }).toEqual({ status: 0, error: '' });
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  probe.close();
});
test.afterAll(() => {
  service?.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function stub(name: string, line: string): void {
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

/**
 * Runs the first block of commands below a heading of the guide, in the copied folder, on that
 * root. Asynchronous: a blocked process would miss closed connections and send requests on them.
 */
async function runBlock(heading: string, before: string) {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(guide.slice(guide.indexOf(`${heading}\n`))) ?? [];
  expect(block, heading).not.toBe('');
  const commands = `set -e\n${before}\n${block.replace(/(^|\s)(\/(?:opt|etc|usr)\/)/gm, `$1${root}$2`)}`;
  const env = { ...plain, PATH: `${root}/bin${delimiter}${plain.PATH}`, GANTRY_ROOT: join(root, 'opt/gantry') };
  const shell = spawn('sh', ['-c', commands], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [status]] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
  return { status, stderr };
}

/** Returns the values of one setting of a unit. */
function settings(unit: string, name: string): readonly string[] {
  return [...readFileSync(join(folder, unit), 'utf8').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  );
}

/** Returns a unit's text with its specifiers replaced as by systemd. */
function placed(text: string): string {
  return text
    .replaceAll('/opt/gantry', join(root, 'opt/gantry'))
    .replaceAll('%S', join(root, 'var/lib'))
    .replaceAll('%d', join(root, 'etc/gantry'));
}

function environmentOf(unit: string): string[] {
  return settings(unit, 'Environment').map(placed);
}

test('the guide installs a release that every user can read, settings that only root can, and units', () => {
  const current = join(root, 'opt/gantry/current');
  expect(existsSync(join(current, 'node_modules/.bin/gantry'))).toBe(true);
  expect(statSync(join(current, 'node_modules/@gantry/cli/dist/index.js')).mode & 0o444).toBe(0o444);
  expect(statSync(join(root, 'etc/gantry/gantry.env')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(root, 'etc/systemd/system')).sort()).toEqual(
    ['gantry-backup.service', 'gantry-backup.timer', 'gantry.service', 'gantry.socket'].sort(),
  );
  expect(readFileSync(join(root, 'called'), 'utf8')).toContain('systemctl enable --now gantry.socket gantry.service');
});

test('systemd finds no fault in the units, with the drop-in for gantry proxy too', () => {
  const units = join(root, 'units');
  mkdirSync(join(units, 'gantry.service.d'), { recursive: true });
  for (const name of readdirSync(folder).filter((file) => /\.(service|socket|timer)$/.test(file))) {
    writeFileSync(
      join(units, name),
      readFileSync(join(folder, name), 'utf8').replaceAll('/opt/gantry', join(root, 'opt/gantry')),
    );
  }
  const verify = () => {
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', 'gantry.service', 'gantry.socket', 'gantry-backup.service', 'gantry-backup.timer'],
      { cwd: units, env: { ...plain, SYSTEMD_UNIT_PATH: `${units}:` }, encoding: 'utf8' },
    );
    return [status, stdout + stderr];
  };
  expect(verify()).toEqual([0, '']);
  const dropIn = readFileSync(join(folder, 'gantry-proxy.conf'), 'utf8');
  writeFileSync(join(units, 'gantry.service.d/proxy.conf'), dropIn.replaceAll('/opt/gantry', join(root, 'opt/gantry')));
  expect(verify()).toEqual([0, '']);
  writeFileSync(join(units, 'gantry.service.d/proxy.conf'), '[Service]\nExecStart=\nExecStart=/nowhere/gantry proxy\n');
  expect(verify()[0]).not.toBe(0); // positive control
});

test('the services’ exposure stays below these bounds (systemd-analyze security)', () => {
  const exposure = (unit: string) =>
    Number(
      /exposure level for \S+: ([\d.]+)/.exec(
        spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], { encoding: 'utf8' }).stdout,
      )?.[1],
    );
  expect(exposure(join(folder, 'gantry.service'))).toBeLessThanOrEqual(1.5);
  expect(exposure(join(folder, 'gantry-backup.service'))).toBeLessThanOrEqual(1);
  writeFileSync(join(root, 'naive.service'), '[Service]\nExecStart=/bin/true\n');
  expect(exposure(join(root, 'naive.service'))).toBeGreaterThan(9); // positive control
});

test('the service is not root, its port is not below 1024, and no unit holds a secret', () => {
  for (const unit of ['gantry.service', 'gantry-backup.service']) {
    expect([settings(unit, 'DynamicUser'), settings(unit, 'User'), settings(unit, 'UMask')]).toEqual([
      ['yes'],
      ['gantry'], // the same, so that the folder keeps its owner
      ['0077'],
    ]);
    expect(environmentOf(unit).join()).not.toMatch(/KEY|SECRET|TOKEN|PASSWORD|DATABASE/);
  }
  expect(Number(settings('gantry.socket', 'ListenStream')[0]?.split(':').at(-1))).toBeGreaterThan(1023);
});

test('the service starts by its own line, on the socket that it is passed', async () => {
  writeFileSync(join(root, 'etc/gantry/gantry.env'), `GANTRY_URL=http://localhost:${port}\nGANTRY_WORKERS=2\n`);
  const words = placed(settings('gantry.service', 'ExecStart')[0] ?? '').split(' ');
  const env = [...environmentOf('gantry.service'), `PATH=${plain.PATH}`];
  service = spawn(
    'systemd-socket-activate',
    ['--listen', `127.0.0.1:${port}`, ...env.flatMap((each) => ['--setenv', each]), ...words],
    { cwd: join(root, 'var/lib/gantry'), detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [service.stdout, service.stderr]) {
    stream?.on('data', (chunk) => {
      log += chunk;
    });
  }
  await expect.poll(() => log).toContain('Listening on');
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200); // has waited for the start
  await expect.poll(() => log, { timeout: 60_000 }).toContain(`Gantry ready at http://localhost:${port}, 2 workers`);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

test('the guide’s next release is taken up without a lost request', async () => {
  const first = spawnSync('readlink', [join(root, 'opt/gantry/current')], { encoding: 'utf8' }).stdout;
  stub('systemctl', `test "$1" = reload && kill -HUP ${service.pid}`);
  expect(await runBlock('## Restarts and upgrades', ':')).toMatchObject({ status: 0 }); // the new workers start now
  const lost: unknown[] = [];
  let isOver = false;
  let answered = 0;
  const clients = Array.from({ length: 4 }, async (_, index) => {
    while (!isOver) {
      const headers: Record<string, string> = index % 2 === 0 ? { connection: 'close' } : {};
      const got = await fetch(`http://127.0.0.1:${port}/readyz`, { headers }).catch((error) => error.cause?.code);
      if (got?.status === 200 && (await got.text())) answered++;
      else lost.push(got?.status ?? got);
    }
  });
  const reloads = () => log.split('Gantry reloaded, 2 new workers').length - 1;
  await expect.poll(reloads, { timeout: 120_000 }).toBe(1);
  isOver = true;
  await Promise.all(clients);
  expect(lost).toEqual([]);
  expect(answered).toBeGreaterThan(10);
  expect(spawnSync('readlink', [join(root, 'opt/gantry/current')], { encoding: 'utf8' }).stdout).not.toBe(first);
});

test('a backup is made, tried and kept for the service’s user only, and old ones go', () => {
  const backups = join(root, 'var/lib/gantry-backups');
  const old = join(backups, '20200101T000000Z');
  mkdirSync(old);
  spawnSync('touch', ['-d', '20 days ago', old]);
  const [line = ''] = settings('gantry-backup.service', 'ExecStart');
  const [program = '', ...args] = placed(line).split(' ');
  const environment = environmentOf('gantry-backup.service').map((each) => each.split('=') as [string, string]);
  const env = { PATH: plain.PATH, ...Object.fromEntries(environment) };
  const { status, stderr, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
  expect([status, stderr.includes('Error'), stdout]).toEqual([
    0,
    false,
    expect.stringContaining('Restored the backup'),
  ]);
  const [made = '', ...more] = readdirSync(backups);
  expect(more).toEqual([]);
  expect(readdirSync(join(backups, made))).not.toContain('keys.json');
  const files = readdirSync(join(backups, made), { recursive: true, encoding: 'utf8' });
  for (const file of [made, ...files.map((each) => join(made, each))]) {
    expect(statSync(join(backups, file)).mode & 0o077, file).toBe(0);
  }
});

test('gantry-admin runs a command with user, settings and folder of the service', () => {
  stub('systemd-run', `printf '%s\\n' "$@" >${root}/asked; while [ "$1" != /bin/sh ]; do shift; done; exec "$@"`);
  const script = readFileSync(join(root, 'usr/local/bin/gantry-admin'), 'utf8');
  writeFileSync(join(root, 'gantry-admin'), script.replaceAll('/opt/gantry', join(root, 'opt/gantry')));
  const env = {
    PATH: `${root}/bin${delimiter}${plain.PATH}`,
    CREDENTIALS_DIRECTORY: join(root, 'etc/gantry'),
    GANTRY_DATA: join(root, 'var/lib/gantry'),
  };
  const { status, stdout } = spawnSync('sh', [join(root, 'gantry-admin'), 'settings', 'list'], {
    env,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('minimumInterval')]);
  const lines = readFileSync(join(root, 'asked'), 'utf8').split('\n');
  for (const name of ['DynamicUser', 'User', 'StateDirectory', 'StateDirectoryMode', 'UMask', 'LoadCredential']) {
    for (const value of settings('gantry.service', name)) expect(lines).toContain(`${name}=${value}`);
  }
});

test('SIGTERM ends the service in order, within the time that its unit gives', async () => {
  const startedAtMs = performance.now();
  service.kill('SIGTERM');
  expect(await once(service, 'exit')).toEqual([0, null]);
  expect(performance.now() - startedAtMs).toBeLessThan(1_000 * Number(settings('gantry.service', 'TimeoutStopSec')[0]));
});
