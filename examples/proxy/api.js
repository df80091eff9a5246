// The site's existing Social REST API, as far as its gadgets need it: people, friends, AppData.
import { isBodyHash, isTimely, OAuthError, parseOAuth, parseTarget, verifySignature } from '@gantry/oauth';
import { readBody } from './read-body.js';

const root = '/social/rest/';
const mostBytes = 1024 * 1024;

/** @param options.origin Origin that consumers sign. */
export function createApi(db, { origin }) {
  /** Returns the consumer's app and the member on whose behalf it calls. */
  function authenticate(incoming, target, body) {
    const authorization = incoming.headersDistinct.authorization ?? [];
    const oauth = parseOAuth({ method: incoming.method, origin, target, authorization });
    const { consumerKey, timestamp, nonce, requestorId = '', bodyHash } = oauth;
    const consumer = db.prepare('select app, secret from consumer where key = ?').get(consumerKey);
    const isSigned = verifySignature(oauth, consumer && { method: 'HMAC-SHA1', secret: consumer.secret });
    if (!isSigned) throw new OAuthError(401, 'signature_invalid', 'The signature is wrong.');
    if (bodyHash !== undefined && !isBodyHash(bodyHash, 'HMAC-SHA1', body)) {
      throw new OAuthError(401, 'signature_invalid', 'The body is another one.');
    }
    if (!isTimely(timestamp, Date.now())) throw new OAuthError(401, 'timestamp_refused', 'The clock is wrong.');
    db.prepare('delete from nonce where at_s < ?').run(Date.now() / 1000 - 3_600);
    const isNew =
      db.prepare('insert or ignore into nonce values (?, ?, ?)').run(consumerKey, timestamp, nonce).changes === 1;
    if (!isNew) throw new OAuthError(401, 'nonce_used', 'The request came before.');
    const viewer = db.prepare('select id from member where id = ?').get(requestorId);
    if (!viewer) throw new OAuthError(401, 'permission_denied', 'There is no such member.');
    return { app: consumer.app, viewer: viewer.id };
  }

  function friendsOf(id) {
    return db
      .prepare(`
        select id, display_name as displayName from member
        where id in (select b from friend where a = ? union select a from friend where b = ?) order by id`)
      .all(id, id);
  }

  const routes = {
    people: ({ viewer }, [guid, group], query) => {
      const friends = friendsOf(guid);
      if (guid !== viewer && !friends.some(({ id }) => id === viewer)) return [403, 'You may not see this member.'];
      if (group === '@friends') {
        const [start, count] = [Number(query.get('startIndex') ?? 0), Number(query.get('count') ?? 20)];
        const entry = friends.slice(start, start + count);
        return [200, { entry, startIndex: start, itemsPerPage: entry.length, totalResults: friends.length }];
      }
      return [200, { entry: db.prepare('select id, display_name as displayName from member where id = ?').get(guid) }];
    },

    appData({ app, viewer }, [guid, group], query, { method, body }) {
      if (method === 'GET') {
        const members = group === '@friends' ? friendsOf(guid).map(({ id }) => id) : [guid];
        const isAllowed = guid === viewer || (group === '@self' && friendsOf(viewer).some(({ id }) => id === guid));
        if (!isAllowed) return [403, 'You may not see this member.'];
        const read = db.prepare('select key, value from app_data where app = ? and member = ?');
        const valuesOf = (member) => Object.fromEntries(read.all(app, member).map(({ key, value }) => [key, value]));
        return [200, { entry: Object.fromEntries(members.map((member) => [member, valuesOf(member)])) }];
      }
      if (guid !== viewer) return [403, 'Members write for themselves.'];
      if (method === 'POST') {
        const save = db.prepare('insert or replace into app_data values (?, ?, ?, ?)');
        for (const [key, value] of Object.entries(JSON.parse(body))) save.run(app, viewer, key, String(value));
      } else if (method === 'DELETE') {
        const remove = db.prepare('delete from app_data where app = ? and member = ? and key = ?');
        for (const key of (query.get('fields') ?? '').split(',')) remove.run(app, viewer, key);
      }
      return [200, { entry: {} }];
    },
  };

  return {
    serves: ({ url }) => url.startsWith(root),
    async answer(incoming, outgoing) {
      const [status, content] = await work(incoming).catch((error) => {
        if (error instanceof OAuthError) return [error.status, error.message];
        console.error(error);
        return [500, 'Something went wrong.'];
      });
      const type = typeof content === 'string' ? 'text/plain' : 'application/json';
      const sent = typeof content === 'string' ? content : JSON.stringify(content);
      const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' };
      if (status === 413) headers.Connection = 'close'; // the rest of the body is not read
      outgoing.writeHead(status, headers).end(sent);
    },
  };

  async function work(incoming) {
    const { method } = incoming;
    const body = method === 'POST' ? await readBody(incoming, mostBytes) : '';
    if (body === undefined) return [413, 'The body is too large.'];
    const target = parseTarget(incoming.url);
    const who = authenticate(incoming, target, body);
    const [service, guid, ...rest] = target.path.slice(root.length).split('/').map(decodeURIComponent);
    const route = Object.hasOwn(routes, service) ? routes[service] : undefined;
    if (!route) return [501, 'This site has no such thing.'];
    return route(who, [guid === '@me' ? who.viewer : guid, ...rest], new Map(target.query), { method, body });
  }
}
