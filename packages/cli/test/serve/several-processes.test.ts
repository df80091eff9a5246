import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { gantry, type Process, type Signed, sendSigned, serve } from '../real-site.ts';

const url = 'http://social.example';
const consumer = { key: 'member-1', secret: 'secret' };
const world = {
  members: [{ id: '1', displayName: 'Ann', password: 'right password' }],
  consumers: [{ ...consumer, kind: 'member', memberId: '1' }],
};

const kinds = [
  { name: 'SQLite', database: async () => undefined },
  { name: 'PostgreSQL', database: createSchema },
] as const;

describe.each(kinds)('several processes on $name', ({ database }) => {
  let env: Readonly<Record<string, string>>;
  let single: Process;
  let workers: Process;
  const undo: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const schema = await database();
    if (schema) undo.push(() => schema.remove());
    const data = mkdtempSync(join(tmpdir(), 'gantry-processes-'));
    env = { GANTRY_DATA: data, ...(schema && { GANTRY_DATABASE: schema.url }) };
    const file = join(data, 'world.json');
    writeFileSync(file, JSON.stringify(world));
    await gantry(['import', file], env);
    const start = async (...args: string[]) => {
      const started = await serve(args, env);
      undo.push(() => started.stop());
      return started;
    };
    [single, workers] = await Promise.all([start(), start('--workers', '2')]);
  });
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  });

  const read = { path: '/people/@me/@self', consumer, as: '1' };
  const post = { method: 'POST', path: '/activities/@me/@self', consumer, as: '1', body: { title: 'x' } };

  test('members sign in at each of several workers, which share the processors that hash (security rule 25)', async () => {
    const page = await send(workers);
    const [cookie = ''] = (page.headers['set-cookie']?.[0] ?? '').split(';');
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(await text(page)) ?? [];
    const signIn = async (password: string) => {
      const answer = await send(workers, { cookie, form: { form_token: token, member: '1', password } });
      answer.resume();
      return answer.statusCode;
    };
    const passwords = Array.from({ length: 8 }, (_, index) => (index % 2 ? 'right password' : 'wrong'));
    const statuses = await Promise.all(passwords.map(signIn));
    expect(statuses).toEqual(passwords.map((password) => (password === 'wrong' ? 401 : 303)));
  });

  test('a nonce, an interval and a setting hold in all processes at once (contract §4, §5)', async () => {
    const ports = [single.port, workers.port];
    const everywhere = (signed: (index: number) => Signed) =>
      Promise.all(Array.from({ length: 20 }, (_, index) => sendSigned(ports[index % 2] as number, signed(index))));
    const timestamp = Math.floor(Date.now() / 1000);
    const replays = await everywhere(() => ({ ...read, nonce: 'once', timestamp }));
    expect(replays.sort()).toEqual([200, ...Array(19).fill(401)]);
    const inTwoSeconds = await everywhere((index) => ({
      ...read,
      nonce: 'twice',
      timestamp: timestamp - (index < 10 ? 1 : 0),
    }));
    expect(inTwoSeconds.sort()).toEqual([200, 200, ...Array(18).fill(401)]);
    const posts = await everywhere((index) => ({ ...post, nonce: `post ${index}` }));
    expect(posts.sort()).toEqual([200, ...Array(19).fill(500)]);
    await gantry(['settings', 'set', 'minimumInterval', '0'], env);
    expect(await everywhere((index) => ({ ...post, nonce: `later ${index}` }))).toEqual(Array(20).fill(200));
  });

  test('a key has its documented rate over all processes, not in each (decision 97)', async () => {
    await gantry(['settings', 'set', 'rateLimit', '1'], env);
    await gantry(['settings', 'set', 'rateBurst', '20'], env);
    // On SQLite only workers know that they are several.
    const ports = env.GANTRY_DATABASE ? [single.port, workers.port, workers.port] : [workers.port];
    const statuses = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        sendSigned(ports[index % ports.length] as number, { ...read, nonce: `rate ${index}` }),
      ),
    );
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(15);
    expect(passed).toBeLessThanOrEqual(20); // counted in each process, 40 or 60 pass
    expect(statuses.filter((status) => status === 429)).toHaveLength(90 - passed);
    await gantry(['settings', 'set', 'rateLimit', '0'], env);
  });

  test('a worker that dies is replaced, and SIGTERM ends all of them (security rule 21)', async () => {
    const [victim] = await workersOf(workers);
    process.kill(victim as number, 'SIGKILL');
    await expect.poll(async () => (await workersOf(workers)).filter((id) => id !== victim).length).toBe(2);
    expect(workers.errors()).toContain('A worker ended');
    expect((await fetch(`http://127.0.0.1:${workers.port}/readyz`)).status).toBe(200);
    const last = await workersOf(workers);
    expect(await workers.stop()).toBe(0);
    for (const id of last) expect(() => process.kill(id, 0)).toThrow('ESRCH');
  });
});

/** Sends a form to the page for signing in, or gets that page, on a new connection. */
async function send(
  { port }: Process,
  { cookie, form }: { readonly cookie?: string; readonly form?: Readonly<Record<string, string>> } = {},
) {
  const outgoing = request({
    ...{ host: '127.0.0.1', port, path: '/account/sign-in', agent: false, method: form ? 'POST' : 'GET' },
    headers: {
      host: new URL(url).host,
      ...(form && { cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded' }),
    },
  });
  outgoing.end(form && new URLSearchParams(form).toString());
  const [response] = await once(outgoing, 'response');
  return response;
}

async function workersOf({ child }: Process): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(child.pid)]);
  return stdout.trim().split('\n').map(Number);
}
