import { randomBytes } from 'node:crypto';
import { parseTarget, type Target } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type HttpMethod, isWorking, matchRoute, type OperationId, operation, SocialError } from '@gantry/wire';
import type { Logger } from 'pino';
import { asSocialError, errorAnswer, readAnswer, writeAnswer } from './answer.ts';
import { createAuthenticator } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { parseBody, readBody } from './body.ts';
import { type Guids, parseGuids } from './guids.ts';
import type { Call } from './handlers/handler.ts';
import { handlers } from './handlers/handlers.ts';
import { mediaAnswer, mediaPath } from './media.ts';
import { openNonces } from './nonces.ts';
import { parseQuery } from './query.ts';
import { segmentsOf } from './segments.ts';
import { type Settings, settingsReader } from './settings.ts';
import { createSiteTime, type SiteTime } from './site-time.ts';

export interface ServiceOptions {
  /** With the schema of `serviceMigrations`. */
  readonly db: Database;
  /** A database of the nonces' own; the service keeps its schema. */
  readonly nonces: Database;
  /** The site's public origin, for example `https://social.example`. */
  readonly publicUrl: string;
  /** 32 bytes: opens consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Folder of the files that import put there. */
  readonly mediaFolder: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Gets what is our own fault, never what a client sent. */
  readonly log?: Logger;
}

/** The Social REST API below `/social/rest` and media below `/gantry/media`. */
export interface Service {
  /**
   * Answers one request; it never rejects.
   *
   * @param rawTarget Path and query exactly as the client sent them; the signature covers them.
   */
  handle(request: Request, rawTarget: string): Promise<Response>;
  close(): Promise<void>;
}

export async function createService(options: ServiceOptions): Promise<Service> {
  const { db, secretKey, mediaFolder, now = Date.now, random = randomBytes, log } = options;
  const publicUrl = new URL(options.publicUrl).origin;
  const nonces = await openNonces(options.nonces, { now });
  const authenticate = createAuthenticator({ db, nonces, secretKey, now });
  const readSettings = settingsReader(db);
  const siteTimeOf = siteTimes();

  async function answer(request: Request, rawTarget: string): Promise<Response> {
    const target = parseTarget(rawTarget);
    if (target.path.startsWith(mediaPath)) return mediaAnswer(request, { path: target.path, db, mediaFolder });
    const { method, headers } = request;
    if (headers.has('x-http-method-override')) {
      throw new SocialError('BAD_REQUEST', 'Send the method itself instead of X-HTTP-Method-Override.');
    }
    const bytes = await readBody(request);
    const settings = await readSettings();
    const { operationId, params, selector } = routeOf(method, target, settings);

    const origin = signedOrigin(request, publicUrl);
    const requester = await authenticate({ method, origin, target, headers, body: bytes });

    if (operationId === undefined || !isWorking(operationId)) throw notImplemented('This operation does not work.');
    if (operation(operationId).extension === 'albums' && !settings.albums) {
      throw notImplemented('This site has no album extension.');
    }

    const query = parseQuery(target.query, { pageSize: settings.pageSize, operationId });
    const guids = parseGuids(params.guid ?? '', requester.memberId);
    const verb = operation(operationId).method;
    refuseWhatCannotBeMeant({ verb, guids, body: bytes });
    if (query.format !== 'json') throw notImplemented('This version answers in JSON only: leave out format.');

    if (params.appid !== undefined && authorize(requester, { act: 'name app', appId: params.appid }) !== 'allowed') {
      throw new SocialError('FORBIDDEN', 'Name your own app with @app, using a key that was issued for an app.');
    }
    if (verb !== 'GET') {
      const act = operation(operationId).topic === 'appData' ? 'write AppData' : 'post activity';
      if (authorize(requester, { act, memberId: guids.ids[0] ?? '' }) !== 'allowed') {
        throw new SocialError(
          'FORBIDDEN',
          'Write only for the requestor, and AppData only through an app that they have.',
        );
      }
    }

    const body = verb === 'POST' ? parseBody(headers, bytes) : null;
    const siteTime = siteTimeOf(settings.timeZone);
    const nowMs = now();
    const call: Call = {
      db,
      requester,
      settings,
      siteTime,
      publicUrl,
      nowMs,
      random,
      params,
      selector,
      guids,
      query,
      body,
    };
    const result = await handlers[operationId](call);
    if (verb !== 'GET') return writeAnswer(result);
    return readAnswer(result, { request, variant: [requester.memberId, requester.appId, query.format] });
  }

  return {
    async handle(request, rawTarget) {
      try {
        return await answer(request, rawTarget);
      } catch (thrown) {
        const error = asSocialError(thrown);
        if (error.code === 'INTERNAL') log?.error({ err: thrown }, 'request failed');
        return errorAnswer(error, { origin: publicUrl, head: request.method === 'HEAD' });
      }
    },
    close: () => nonces.close(),
  };
}

interface Routed {
  /** Absent for a group, which no operation serves. */
  readonly operationId: OperationId | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly selector: string;
}

/** @throws SocialError NOT_FOUND, METHOD_NOT_ALLOWED, and BAD_REQUEST for a segment that cannot be. */
function routeOf(method: string, { path }: Target, { apiVersion }: Settings): Routed {
  const segments = segmentsOf(path);
  const friends = apiVersion === '0.9.3' ? '@friend' : '@friends';
  const match = segments && matchRoute(method === 'HEAD' ? 'GET' : method, segments, { friends });
  if (match === undefined || match.kind === 'unknown') throw new SocialError('NOT_FOUND', 'There is no such resource.');
  if (match.kind === 'method') {
    const allow = match.allow.flatMap((one): string[] => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
    throw new SocialError('METHOD_NOT_ALLOWED', `This resource takes ${allow.join(', ')}.`, { allow });
  }
  const selector = segments?.[2] ?? '';
  return match.kind === 'group'
    ? { operationId: undefined, params: {}, selector }
    : { operationId: match.operation, params: match.params, selector };
}

/** @throws SocialError BAD_REQUEST */
function refuseWhatCannotBeMeant(request: {
  readonly verb: HttpMethod;
  readonly guids: Guids;
  readonly body: Uint8Array | undefined;
}): void {
  const { verb, guids, body } = request;
  if (verb !== 'GET' && guids.isList)
    throw new SocialError('BAD_REQUEST', 'A write is for one member, not for a list.');
  if (verb === 'DELETE' && body !== undefined) throw new SocialError('BAD_REQUEST', 'A DELETE has no body.');
}

function notImplemented(message: string): SocialError {
  return new SocialError('NOT_IMPLEMENTED', message);
}

/**
 * The origin that the client signed: the public one. On a developer's machine 127.0.0.1 and localhost are the same site, and
 * clients sign the one that they were told.
 */
function signedOrigin(request: Request, publicUrl: string): string {
  const site = new URL(publicUrl);
  if (!loopback.has(site.hostname)) return publicUrl;
  const asked = new URL(request.url);
  return loopback.has(asked.hostname) && asked.port === site.port ? asked.origin : publicUrl;
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function siteTimes(): (timeZone: string) => SiteTime {
  let last: { readonly timeZone: string; readonly siteTime: SiteTime } | undefined;
  return (timeZone) => {
    if (last?.timeZone !== timeZone) last = { timeZone, siteTime: createSiteTime(timeZone) };
    return last.siteTime;
  };
}
