import { randomBytes } from 'node:crypto';
import session from 'express-session';

/** Opens the sessions of the site, and the secret that signs their cookies. */
export function openSessions(db) {
  db.exec(`
    create table if not exists session (id text primary key, data text not null, expires_ms integer not null) strict;
    create table if not exists secret (value text not null) strict`);
  if (!db.prepare('select value from secret').get()) {
    db.prepare('insert into secret values (?)').run(randomBytes(32).toString('hex'));
  }
  return { secret: db.prepare('select value from secret').get().value, store: new SqliteStore(db) };
}

class SqliteStore extends session.Store {
  #db;

  constructor(db) {
    super();
    this.#db = db;
    setInterval(() => db.prepare('delete from session where expires_ms < ?').run(Date.now()), 3_600_000).unref();
  }
  get(id, done) {
    const find = this.#db.prepare('select data from session where id = ? and expires_ms > ?');
    attempt(done, () => JSON.parse(find.get(id, Date.now())?.data ?? 'null'));
  }
  set(id, { ...data }, done) {
    const save = this.#db.prepare('insert or replace into session values (?, ?, ?)');
    attempt(done, () => void save.run(id, JSON.stringify(data), Date.parse(data.cookie.expires)));
  }
  // An update only: a request that was under way during a sign-out must not bring its session back.
  touch(id, { cookie }, done) {
    const extend = this.#db.prepare('update session set expires_ms = ? where id = ?');
    attempt(done, () => void extend.run(cookie.expires.getTime(), id));
  }
  destroy(id, done) {
    attempt(done, () => void this.#db.prepare('delete from session where id = ?').run(id));
  }
}

function attempt(done, work) {
  let result;
  try {
    result = work();
  } catch (error) {
    return done?.(error);
  }
  done?.(null, result);
}
