import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@playwright/test';

// Linted, and compared with the npm installation: there is no container engine here.

const folder = join(process.env.GANTRY_EXAMPLES ?? '', 'deployment');
const tools = join(import.meta.dirname, '../../tools/deployment');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const containerfile = read('Containerfile');

interface Problem {
  readonly message: string;
}

/** Returns the problems that the validator finds in a Containerfile. */
function problems(text: string): readonly string[] {
  const { validate } = createRequire(join(tools, 'package.json'))('dockerfile-utils') as {
    validate: (text: string) => readonly Problem[];
  };
  return validate(text).map(({ message }) => message);
}

test('the Containerfile has no fault, a version for each image, and a user that is not root', () => {
  expect(problems(containerfile)).toEqual([]);
  expect(problems(containerfile.replace('WORKDIR', 'WORKDIRS'))).not.toEqual([]); // positive control
  const images = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(images).size).toBe(1);
  expect(images[0]).toMatch(/^node:24\.\d+\.\d+-\w+-slim$/);
  expect(containerfile).toMatch(/^USER node$/m);
  expect(containerfile).not.toMatch(/^(ENTRYPOINT|CMD) [^[]/m); // signals reach Node, not a shell
});

test('the image starts the program that npm installs, and its health check can fail', () => {
  const [, entry = '[]'] = /^ENTRYPOINT (.*)$/m.exec(containerfile) ?? [];
  const [node, program = ''] = JSON.parse(entry) as string[];
  expect([node, existsSync(join(folder, program))]).toEqual(['node', true]);
  const [, check = '[]'] = /^ {2}CMD (\[.*\])$/m.exec(containerfile) ?? [];
  const [, ...args] = JSON.parse(check.replace(':4400', ':1')) as string[];
  expect(spawnSync(process.execPath, args).status).toBe(1);
  expect(spawnSync(process.execPath, ['--check', '-'], { input: args[1] }).status).toBe(0);
});

test('the compose file has no fault by the schema of compose and the rules of dclint', () => {
  const dclint = (file: string) => {
    const flags = ['--disable-rule', 'no-unbound-port-interfaces', '--max-warnings', '0'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(tools, 'node_modules/dclint/bin/dclint.cjs'), file, ...flags],
      { encoding: 'utf8' },
    );
    return [status, stdout.trim() + stderr.trim()];
  };
  expect(dclint(join(folder, 'compose.yaml'))).toEqual([0, '']);
  expect(dclint(join(import.meta.dirname, 'package.json'))[0]).not.toBe(0); // positive control
});

test('the compose file restarts services, publishes the reverse proxy only, and holds no secret', () => {
  const services =
    read('compose.yaml')
      .split(/^(?=\S)/m)
      .find((part) => part.startsWith('services:')) ?? '';
  const each = services.split(/^(?= {2}[a-z]+:$)/m).slice(1);
  expect(each.map((text) => text.trim().split(':')[0])).toEqual(['caddy', 'gantry', 'postgres']);
  for (const text of each) expect(text).toContain('restart: unless-stopped');
  expect(each.map((text) => text.includes('ports:'))).toEqual([true, false, false]);
  expect(services).not.toMatch(/(KEY|TOKEN|PASSWORD|SECRET): /); // names of files only
});

test('Caddy takes its configuration', () => {
  const validate = (file: string) =>
    spawnSync('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, SITE_ADDRESS: 'http://localhost:8080', HOME: folder },
    }).status;
  expect(validate(join(folder, 'Caddyfile'))).toBe(0);
  expect(validate(join(folder, 'compose.yaml'))).not.toBe(0); // positive control
});

test('the commands of the guide make secrets that only the container reads, and one password for both sides', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/deployment.md'), 'utf8');
  const [, block = ''] = /```sh\n(.*?)```/s.exec(guide.slice(guide.indexOf('## Containers\n'))) ?? [];
  const place = mkdtempSync(join(tmpdir(), 'gantry-containers-'));
  for (const name of ['gantry.env', 'compose.yaml']) cpSync(join(folder, name), join(place, name));
  const called = join(place, 'called');
  writeFileSync(join(place, 'sudo'), '#!/bin/sh\n[ "$1" = chown ] || exec "$@"\n', { mode: 0o755 });
  writeFileSync(join(place, 'docker'), `#!/bin/sh\necho "$*" >>${called}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${place}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync('sh', ['-ec', block], { cwd: place, env });
  expect(status).toBe(0);
  const settings = parseEnv(readFileSync(join(place, 'secrets/gantry.env'), 'utf8'));
  const password = readFileSync(join(place, 'secrets/postgres-password'), 'utf8').trim();
  expect(settings.GANTRY_DATABASE).toBe(`postgres://gantry:${password}@postgres/gantry`);
  expect(statSync(join(place, 'secrets')).mode & 0o077).toBe(0);
  expect(statSync(join(place, 'secrets/gantry.env')).mode & 0o077).toBe(0);
  expect(parseEnv(readFileSync(join(place, '.env'), 'utf8'))).toEqual({ SITE_ADDRESS: 'social.example' });
  expect(readFileSync(called, 'utf8')).toMatch(/^compose up --detach --wait\ncompose exec gantry node /);
  rmSync(place, { recursive: true });
});
