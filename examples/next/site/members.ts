import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { database } from './database.ts';

export interface Member {
  readonly id: string;
  readonly displayName: string;
}

const cost: ScryptOptions = { N: 2 ** 15, maxmem: 64 * 2 ** 20 };

/** Fills the member table at the first start. */
export async function prepareMembers(): Promise<void> {
  const db = database();
  if (db.prepare('select 1 from member').get()) return;
  const add = db.prepare('insert into member values (?, ?, ?, ?, ?)');
  for (const [id, name, displayName] of [
    ['m-1001', 'ada', 'Ada'],
    ['m-1002', 'bo', 'Bo'],
    ['m-1003', 'cy', 'Cy'],
  ] as const) {
    const salt = randomBytes(16);
    add.run(id, name, displayName, salt, await hashed('open sesame', salt));
  }
  const befriend = db.prepare('insert into friend values (?, ?)');
  befriend.run('m-1001', 'm-1002');
  befriend.run('m-1001', 'm-1003');
}

/**
 * Resolves with the id of the member with this name and password. An unknown name takes as long as
 * a known one.
 */
export async function checkPassword(name: string, password: string): Promise<string | undefined> {
  const row = database().prepare('select id, salt, hash from member where name = ?').get(name.toLowerCase()) as
    | { readonly id: string; readonly salt: Uint8Array; readonly hash: Uint8Array }
    | undefined;
  const digest = await hashed(password, row?.salt ?? new Uint8Array(16));
  return row && timingSafeEqual(digest, row.hash) ? row.id : undefined;
}

/** Returns the site's members and friendships as Gantry reads them. */
export function memberRecords() {
  const members = database().prepare('select id, display_name from member').all();
  const friends = database().prepare('select a, b from friend').all();
  return [
    ...members.map((row) => ({ kind: 'member' as const, id: String(row.id), displayName: String(row.display_name) })),
    ...friends.map((row) => ({ kind: 'friendship' as const, members: [String(row.a), String(row.b)] as const })),
  ];
}

function hashed(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, cost, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
