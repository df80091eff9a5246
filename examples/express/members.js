import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hash = promisify(scrypt);
const cost = { N: 2 ** 15, maxmem: 64 * 2 ** 20 };

/** Opens the site's member table, with three members at the first start. */
export async function openMembers(db) {
  db.exec(`
    create table if not exists member (
      id text primary key, name text not null unique, display_name text not null, salt blob not null, hash blob not null
    ) strict;
    create table if not exists friend (
      a text not null references member(id), b text not null references member(id), primary key (a, b)
    ) strict`);
  if (db.prepare('select count(*) as count from member').get().count === 0) await fill(db);
  const stranger = await secretOf('nobody has this');

  return {
    find: (id = '') => db.prepare('select id, display_name as displayName from member where id = ?').get(id),

    /** Returns the member with this name and password. Takes the same time for unknown names. */
    async signIn(name, password) {
      const row = db.prepare('select id, salt, hash from member where name = ?').get(name.toLowerCase());
      const { salt, hash: expected } = row ?? stranger;
      const isRight = timingSafeEqual(await hash(password, salt, 32, cost), expected);
      return row && isRight ? { id: row.id } : undefined;
    },

    /** Returns members and friendships as Gantry's records. */
    records: () => [
      ...db
        .prepare('select id, display_name from member')
        .all()
        .map(({ id, display_name: displayName }) => ({ kind: 'member', id, displayName })),
      ...db
        .prepare('select a, b from friend')
        .all()
        .map(({ a, b }) => ({ kind: 'friendship', members: [a, b] })),
    ],
  };
}

async function fill(db) {
  const add = db.prepare('insert into member values (?, ?, ?, ?, ?)');
  for (const [id, name, displayName] of [
    ['m-1001', 'ada', 'Ada'],
    ['m-1002', 'bo', 'Bo'],
    ['m-1003', 'cy', 'Cy'],
  ]) {
    const { salt, hash: secret } = await secretOf('open sesame');
    add.run(id, name, displayName, salt, secret);
  }
  const befriend = db.prepare('insert into friend values (?, ?)');
  befriend.run('m-1001', 'm-1002');
  befriend.run('m-1001', 'm-1003');
}

async function secretOf(password) {
  const salt = randomBytes(16);
  return { salt, hash: await hash(password, salt, 32, cost) };
}
