import { randomBytes } from 'node:crypto';
import { parseTarget } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type ErrorCode, isWorking, operation, SocialError } from '@gantry/wire';
import type { Logger } from 'pino';
import { asSocialError, errorAnswer, readAnswer, writeAnswer } from './answer.ts';
import { createAuthenticator } from './authenticate.ts';
import { parseBody, readBody } from './body.ts';
import { findRoute } from './find-route.ts';
import { parseGuids } from './guids.ts';
import { handlers } from './handlers/handlers.ts';
import { mediaAnswer, mediaPath } from './media.ts';
import { openNonces } from './nonces.ts';
import { parseQuery } from './query.ts';
import { refuseForbidden, refuseMeaningless, refuseMissingExtension } from './refuse.ts';
import { settingsReader } from './settings.ts';
import { createSignedOrigin } from './signed-origin.ts';
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
  const signedOrigin = createSignedOrigin(publicUrl);
  const siteTimeOf = siteTimes();

  async function answer(request: Request, rawTarget: string): Promise<Response> {
    const target = parseTarget(rawTarget);
    if (target.path.startsWith(mediaPath)) return mediaAnswer(request, { path: target.path, db, mediaFolder });
    const { method, headers } = request;
    refuseMethodOverride(headers);
    const bytes = await readBody(request);
    const settings = await readSettings();
    const { operationId, params, selector } = findRoute(method, target.path, settings);

    const origin = signedOrigin(request);
    const requester = await authenticate({ method, origin, target, headers, body: bytes });

    if (operationId === undefined || !isWorking(operationId)) throw notImplemented();
    refuseMissingExtension(operationId, settings);
    const query = parseQuery(target.query, { pageSize: settings.pageSize, operationId });
    const guids = parseGuids(params.guid ?? '', requester.memberId);
    refuseMeaningless({ operationId, guids, query, hasBody: bytes !== undefined });
    refuseForbidden(requester, { operationId, params, guids });

    const verb = operation(operationId).method;
    const body = verb === 'POST' ? parseBody(headers, bytes) : null;
    const siteTime = siteTimeOf(settings.timeZone);
    const asked = { requester, settings, siteTime, params, selector, guids, query, body };
    const result = await handlers[operationId]({ db, publicUrl, nowMs: now(), random, ...asked });
    if (verb !== 'GET') return writeAnswer(result);
    return readAnswer(result, { request, variant: [requester.memberId, requester.appId, query.format] });
  }

  return {
    async handle(request, rawTarget) {
      try {
        return await answer(request, rawTarget);
      } catch (thrown) {
        const error = asSocialError(thrown);
        if (ownFaults.has(error.code)) log?.error({ err: thrown }, 'request failed');
        return errorAnswer(error, { origin: publicUrl, head: request.method === 'HEAD' });
      }
    },
    close: () => nonces.close(),
  };
}

const ownFaults: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE', 'STORAGE_FULL']);

function refuseMethodOverride(headers: Headers): void {
  if (headers.has('x-http-method-override')) {
    throw new SocialError('BAD_REQUEST', 'Send the method itself instead of X-HTTP-Method-Override.');
  }
}

function notImplemented(): SocialError {
  return new SocialError('NOT_IMPLEMENTED', 'This operation is listed, but does not work.');
}

function siteTimes(): (timeZone: string) => SiteTime {
  let last: { readonly timeZone: string; readonly siteTime: SiteTime } | undefined;
  return (timeZone) => {
    if (last?.timeZone !== timeZone) last = { timeZone, siteTime: createSiteTime(timeZone) };
    return last.siteTime;
  };
}
