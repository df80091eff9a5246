import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { gantry, type Process, type Signed, sendSigned, serve, start } from '../../../cli/test/real-site.ts';
import { createSchema } from '../../../store/test/postgres.ts';

const consumer = { key: 'member-1', secret: 'secret' };
const world = {
  members: [{ id: '1', displayName: 'Ann' }],
  consumers: [{ ...consumer, kind: 'member', memberId: '1' }],
};
/** A world file that gives member 1 a password. */
function passwordsIn(env: Environment): string {
  const file = join(env.GANTRY_DATA ?? '', 'passwords.json');
  writeFileSync(file, JSON.stringify({ members: [{ ...world.members[0], password: 'right password' }] }));
  return file;
}
const newFolder = () => mkdtempSync(join(tmpdir(), 'gantry-processes-'));
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

type Environment = Readonly<Record<string, string>>;

const kinds: readonly { readonly name: string; readonly prepare: () => Promise<Environment> }[] = [
  { name: 'SQLite', prepare: async () => ({}) },
  {
    name: 'PostgreSQL',
    prepare: async () => {
      const schema = await createSchema();
      undo.push(() => schema.remove());
      return { GANTRY_DATABASE: schema.url };
    },
  },
];

describe.each(kinds)('several processes on $name', ({ prepare }) => {
  async function newSite(): Promise<Environment> {
    const env = { GANTRY_DATA: newFolder(), ...(await prepare()) };
    const file = join(env.GANTRY_DATA, 'world.json');
    writeFileSync(file, JSON.stringify(world));
    await gantry(['import', file], env);
    return env;
  }

  async function started(args: readonly string[], env: Environment): Promise<Process> {
    const process = await serve(args, env);
    undo.push(() => process.stop());
    return process;
  }

  const read = { path: '/people/@me/@self', consumer, as: '1' };
  const post = { method: 'POST', path: '/activities/@me/@self', consumer, as: '1', body: { title: 'x' } };

  test('members sign in at each of several workers, which share the processors that hash (security rule 25)', async () => {
    const env = await newSite();
    await gantry(['import', passwordsIn(env)], env);
    const workers = await start('serve', ['--workers', '2'], env); // at an address of its own, which forms come from
    undo.push(() => workers.stop());
    const { port } = workers;
    const url = `http://localhost:${port}`;
    const page = await fetch(`${url}/account/sign-in`);
    const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
    const signIn = async (password: string) => {
      const body = new URLSearchParams({ form_token: token, member: '1', password });
      const headers = { cookie, origin: url };
      return (await fetch(`${url}/account/sign-in`, { method: 'POST', redirect: 'manual', headers, body })).status;
    };
    const passwords = Array.from({ length: 8 }, (_, index) => (index % 2 ? 'right password' : 'wrong'));
    const statuses = await Promise.all(passwords.map(signIn));
    expect(statuses).toEqual(passwords.map((password) => (password === 'wrong' ? 401 : 303)));
  }, 60_000); // it starts three processes and hashes nine passwords

  test('a nonce, an interval and a setting hold in all processes at once (contract §4, §5)', async () => {
    const env = await newSite();
    const sites = await Promise.all([started([], env), started(['--workers', '2'], env)]);
    const everywhere = (signed: (index: number) => Signed) =>
      Promise.all(Array.from({ length: 20 }, (_, index) => sendSigned(sites[index % 2]?.port ?? 0, signed(index))));
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
  }, 60_000);
});

test('a worker that dies is replaced, and SIGTERM ends all of them (security rule 21)', async () => {
  const env = { GANTRY_DATA: newFolder() };
  const site = await serve(['--workers', '2'], env);
  const [victim] = await workersOf(site);
  process.kill(victim as number, 'SIGKILL');
  await expect
    .poll(async () => (await workersOf(site)).filter((id) => id !== victim).length, { timeout: 15_000 })
    .toBe(2);
  expect(site.errors()).toContain('A worker ended');
  expect((await fetch(`http://127.0.0.1:${site.port}/readyz`)).status).toBe(200);
  const workers = await workersOf(site);
  expect(await site.stop()).toBe(0);
  for (const id of workers) expect(() => process.kill(id, 0)).toThrow('ESRCH');
}, 60_000);

async function workersOf({ child }: Process): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(child.pid)]);
  return stdout.trim().split('\n').map(Number);
}
