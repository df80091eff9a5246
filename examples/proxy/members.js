import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hash = promisify(scrypt);
const cost = { N: 2 ** 15, maxmem: 64 * 2 ** 20 };
const sessionMs = 14 * 86_400_000;

/** Creates three members in an empty table. */
export async function fillMembers(db) {
  if (db.prepare('select count(*) as count from member').get().count > 0) return;
  for (const [id, name, displayName] of [
    ['m-1001', 'ada', 'Ada'],
    ['m-1002', 'bo', 'Bo'],
    ['m-1003', 'cy', 'Cy'],
  ]) {
    const salt = randomBytes(16);
    const secret = await hash('open sesame', salt, 32, cost);
    db.prepare('insert into member values (?, ?, ?, ?, ?)').run(id, name, displayName, salt, secret);
  }
  for (const friend of ['m-1002', 'm-1003']) db.prepare('insert into friend values (?, ?)').run('m-1001', friend);
}

/** Signs members in and out. Only the browser has a session's token; the table has its hash. */
export async function createSignIn(db) {
  const salt = randomBytes(16);
  const stranger = { salt, hash: await hash(randomBytes(8), salt, 32, cost) };

  return {
    /** Returns the token of a new session. Takes the same time for unknown names. */
    async signIn(name, password) {
      const row = db.prepare('select id, salt, hash from member where name = ?').get(name.toLowerCase());
      const account = row ?? stranger;
      const isRight = timingSafeEqual(await hash(password, account.salt, 32, cost), account.hash);
      if (!row || !isRight) return undefined;
      const token = randomBytes(32).toString('base64url');
      db.prepare('delete from session where expires_ms < ?').run(Date.now());
      db.prepare('insert into session values (?, ?, ?)').run(digest(token), row.id, Date.now() + sessionMs);
      return token;
    },
    memberOf(token = '') {
      return db
        .prepare(`
          select member.id, display_name as displayName from session join member on member.id = session.member
          where session.hash = ? and expires_ms > ?`)
        .get(digest(token), Date.now());
    },
    signOut(token = '') {
      db.prepare('delete from session where hash = ?').run(digest(token));
    },
  };
}

function digest(token) {
  return createHash('sha256').update(token).digest();
}
