// `npm run image`: builds the image of examples/deployment and runs it, without a container engine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { installDebian, missingPackages } from './debian.mjs';
import { fail, prepare, root, run } from './prepare.mjs';

if (process.argv.length > 2) {
  console.log(`Usage: npm run image

Builds the Containerfile of examples/deployment by Debian's buildah, and runs the image: its user, health check, workers
and stop. Its base image cannot be fetched here, so that one is made of Debian's packages and the Node of npm's. Needs
root, and 4 GB in the folder for temporary files. Limits and volumes of a container engine are not tried.

Ends with "N passed, N failed".`);
  process.exit(process.argv[2] === '--help' ? 0 : 1);
}

const node = prepare();
const problem = await installDebian(['buildah', 'debootstrap']);
if (problem) fail(`${missingPackages(problem)}\n\n0 passed, 1 failed`);
const scratch = mkdtempSync(join(tmpdir(), 'gantry-image-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
// Chroots need neither user namespaces nor mounts of layers.
const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
const buildahArgs = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
const example = join(root, 'examples/deployment');
const containerfile = readFileSync(join(example, 'Containerfile'), 'utf8');
const [, base] = /^FROM (\S+)/m.exec(containerfile) ?? [];
const healthCheck = JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(containerfile)?.[1] ?? '[]');
const start = ['ENTRYPOINT', 'CMD'].flatMap((name) =>
  JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(containerfile)?.[1] ?? '[]'),
);

let [passed, failed] = [0, 0];
try {
  await check(`the base image ${base}, made here`, makeBase);
  await check('the Containerfile builds', build);
  await check('the image runs as its user, and writes to its volume only', checkUser);
  await check('it is healthy while it runs, and stops in order', runImage);
} catch (error) {
  console.log(`    ${error.message}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** Runs a step. @throws what it throws: the next ones need it. */
async function check(title, work) {
  const startedAtMs = performance.now();
  try {
    const remark = await work();
    passed++;
    console.log(
      `✓ ${title}${remark ? `: ${remark}` : ''}, ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`,
    );
  } catch (error) {
    failed++;
    console.log(`✘ ${title}`);
    throw error;
  }
}

function makeBase() {
  const tree = join(scratch, 'tree');
  const [, release] = /-(\w+)-slim$/.exec(base) ?? [];
  must('debootstrap', ['--variant=minbase', release, tree]);
  cpSync(node, join(tree, 'usr/local/bin/node'));
  const npm = dirname(dirname(realpathSync(must('which', ['npm']))));
  cpSync(npm, join(tree, 'usr/local/lib/node_modules/npm'), { recursive: true });
  must('chroot', [tree, 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm']);
  must('chroot', [tree, 'useradd', '--uid=1000', '--create-home', 'node']);
  // Those that this machine trusts: its registry may have a certificate of its own.
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities) cpSync(authorities, join(tree, 'etc/authorities.pem'));
  const outside = ['./proc/*', './sys/*', './dev/*', './var/cache/apt/archives/*'].map((path) => `--exclude=${path}`);
  const archive = join(scratch, 'base.tar');
  must('tar', ['-C', tree, ...outside, '-cf', archive, '.']);
  const container = buildah(['from', 'scratch']);
  buildah(['add', container, archive, '/']);
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const variables = [`PATH=${path}`, ...(authorities ? ['NODE_EXTRA_CA_CERTS=/etc/authorities.pem'] : [])];
  buildah(['config', ...variables.flatMap((variable) => ['--env', variable]), container]);
  buildah(['commit', container, `docker.io/library/${base}`]);
  buildah(['rm', container]);
  for (const done of [tree, archive]) rmSync(done, { recursive: true });
}

function build() {
  const folder = join(scratch, 'site');
  cpSync(example, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  mkdirSync(join(folder, 'secrets')); // as in the guide: it must not get into the image
  cpSync(join(folder, 'gantry.env'), join(folder, 'secrets/gantry.env'));
  if (run(node, ['scripts/pack.mjs', join(folder, 'tarballs')], { stdio: 'ignore' }) !== 0) {
    throw new Error('The packages cannot be packed.');
  }
  // The other format has no health check.
  buildah(['bud', '--format=docker', '--pull-never', '-t', 'gantry', '-f', join(folder, 'Containerfile'), folder]);
  return JSON.parse(buildah(['images', '--json', 'gantry']))[0].size;
}

function checkUser() {
  const container = buildah(['from', '--pull-never', 'gantry']);
  const inside = (script) => buildah(['run', container, '--', 'sh', '-c', script]);
  const facts = inside(`id -u; ls -A; stat -c '%a %U' /var/lib/gantry
    touch /var/lib/gantry/x && rm /var/lib/gantry/x && echo data
    for place in . /etc /usr /home; do touch $place/x 2>/dev/null && echo "wrote $place"; done; true`);
  const expected = ['1000', 'node_modules', 'package-lock.json', 'package.json', 'tarballs', '700 node', 'data'];
  if (facts !== expected.join('\n')) throw new Error(`${facts}\ninstead of\n${expected.join('\n')}`);
  buildah(['rm', container]);
}

async function runImage() {
  const container = buildah(['from', '--pull-never', 'gantry']);
  const port = await freePort();
  const settings = [`PORT=${port}`, `GANTRY_URL=http://localhost:${port}`, `GANTRY_VIEWER_KEY=${'k'.repeat(40)}`];
  const flags = settings.flatMap((setting) => ['--env', setting]);
  const isHealthy = () => {
    const command = healthCheck.map((word) => word.replace('4400', port));
    return spawnSync('buildah', [...buildahArgs, 'run', container, '--', ...command], { env }).status === 0;
  };
  if (isHealthy()) throw new Error('Its health check passes while nothing runs.');
  const command = `${start.map((word) => `'${word}'`).join(' ')} & echo "process $!"; wait $!; echo "ended $?"`;
  const child = spawn('buildah', [...buildahArgs, 'run', ...flags, container, '--', 'sh', '-c', command], { env });
  const exited = once(child, 'exit');
  const lines = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith('Gantry ready at ')) {
      if (!isHealthy()) throw new Error('Its health check fails while it runs.');
      process.kill(Number(lines.find((one) => one.startsWith('process '))?.slice('process '.length)), 'SIGTERM');
    }
  }
  await exited;
  if (lines.at(-1) !== 'ended 0') throw new Error(`It said:\n${lines.join('\n')}`);
  if (isHealthy()) throw new Error('Its health check passes after it ended.');
  return lines.find((line) => line.startsWith('Gantry ready'));
}

function buildah(args) {
  return must('buildah', [...buildahArgs, ...args]);
}

function must(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`.slice(-2_000)}`);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
