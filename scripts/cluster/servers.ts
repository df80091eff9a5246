import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../packages/server/test/free-port.ts';
import { createFolder } from './folder.ts';
import { binaries } from './patroni-configuration.ts';
import { postmasterOf, processorSecondsOf, signalTree, startProgram } from './processes.ts';

/** One PostgreSQL without standbys. */
export interface PlainServer {
  readonly port: number;
  /** Address of the database `gantry`, for user gantry. */
  readonly url: string;
  /** Runs statements there, as its superuser, and resolves with the rows of the last one. */
  query(statements: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  processorSeconds(): number;
  kill(): void;
  start(): Promise<void>;
}

export interface PlainServers {
  readonly servers: readonly PlainServer[];
  readonly password: string;
  close(): void;
}

const patienceMs = 60_000;

/** Starts PostgreSQL servers that sync to disk, each with an empty database `gantry`. */
export async function startServers(count: number): Promise<PlainServers> {
  const folder = createFolder();
  const password = randomBytes(12).toString('hex');
  const passwordFile = folder.write('password', password);
  const servers: PlainServer[] = [];

  function close(): void {
    process.off('exit', close);
    for (const server of servers) server.kill();
    folder.remove();
  }
  process.on('exit', close);

  async function create(name: string): Promise<PlainServer> {
    const data = folder.path(name);
    const port = await freePort();
    const init = ['-D', data, '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const user = ['--reuid=postgres', '--regid=postgres', '--init-groups', '--'];
    execFileSync('setpriv', [...user, `${binaries}/initdb`, ...init], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 150 };
    const args = ['-D', data, ...Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])];
    const address = (role: string, database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

    async function query(statements: string, database = 'gantry') {
      const client = new pg.Client(address('postgres', database));
      client.on('error', () => {});
      await client.connect();
      const result: pg.QueryResult | pg.QueryResult[] = await client.query(statements).finally(() => client.end());
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
    }

    async function start(): Promise<void> {
      startProgram({ path: `${binaries}/postgres`, args, log: folder.path(`${name}.log`) });
      for (const startedAtMs = performance.now(); ; await pause(50)) {
        const problem = await query('select 1', 'postgres').then(
          () => undefined,
          (error: Error) => error,
        );
        if (problem === undefined) return;
        if (performance.now() - startedAtMs > patienceMs) throw new Error(`${problem.message}\n${folder.logs()}`);
      }
    }

    await start();
    await query(`create role gantry login password '${password}'`, 'postgres');
    await query('create database gantry owner gantry', 'postgres');
    return {
      port,
      url: address('gantry', 'gantry'),
      query,
      processorSeconds: () => processorSecondsOf(postmasterOf(data)),
      kill: () => signalTree(postmasterOf(data), 'SIGKILL'),
      start,
    };
  }

  try {
    for (let index = 0; index < count; index++) servers.push(await create(`server${index + 1}`));
  } catch (error) {
    close();
    throw error;
  }
  return { servers, password, close };
}
