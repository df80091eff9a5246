import { randomBytes } from 'node:crypto';
import { OAuthError, parseTarget, type Target } from '@gantry/oauth';
import type { Database, Statement } from '@gantry/store';
import { type ErrorCode, operation, SocialError, type Topic } from '@gantry/wire';
import type { Logger } from 'pino';
import type { Passwords } from './account/passwords.ts';
import { asSocialError, errorAnswer, type Failing, matches, notModified, readAnswer, writeAnswer } from './answer.ts';
import { type Authenticated, createAuthenticator, visitorOf } from './authenticate.ts';
import { parseBody, readBody } from './body.ts';
import { certificateAnswer, certificatePath } from './certificate.ts';
import type { Answer, Incoming } from './exchange.ts';
import { findRoute } from './find-route.ts';
import type { Result } from './formats/result.ts';
import { writeResult } from './formats/write-result.ts';
import { mediaAnswer, mediaPath } from './media.ts';
import type { Nonces } from './nonces.ts';
import { type Observe, observation, type Seen } from './observe.ts';
import { createReference, isReferencePath } from './openapi/reference.ts';
import { type Admitted, createPerformer, type Prepared } from './perform.ts';
import { createRateLimit, rateLimited } from './rate-limit.ts';
import { createRecordsEndpoint, recordsPath } from './records-endpoint.ts';
import { createRpc, rpcDialect } from './rpc/rpc.ts';
import { type Settings, type SiteState, siteReader } from './settings.ts';
import { createSignedOrigin } from './signed-origin.ts';
import { createVerifier, refuseTooManyParameters } from './signed-request.ts';
import { findStanding } from './store/standing.ts';
import { readVersions } from './store/versions.ts';
import { createTokenEndpoints, type TokenEndpoint, tokenEndpoint, tokenRefusal } from './token-endpoints.ts';
import { dependencyOf, textValidator, versionValidator } from './validator.ts';
import { createWideReads, isWide } from './wide-reads.ts';

export interface ServiceOptions {
  /** With the schema of `serviceMigrations`. */
  readonly db: Database;
  readonly nonces: Nonces;
  /** The site's public origin, for example `https://social.example`. */
  readonly publicUrl: string;
  /** 32 bytes: opens consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Folder of the files that import put there. */
  readonly mediaFolder: string;
  /** The site's own, in PEM: what apps check its signatures with. */
  readonly publicKey?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Hashes the passwords of records. Default: a few at a time, at today's cost. */
  readonly passwords?: Passwords;
  /** What others keep of a member in the same database: its statements run with those that take the member away. */
  readonly alsoRemove?: (member: string) => readonly Statement[];
  /** Gets what is our own fault, never what a client sent. */
  readonly log?: Logger;
  /** Gets every answer, for metrics and logs. */
  readonly observe?: Observe;
}

/**
 * The Social REST API below `/social/rest`, JSON-RPC at `/social/rpc` and `/rpc`, OAuth's token endpoints, the site's public
 * key, media below `/gantry/media`, records at `/gantry/admin/records`, and what describes them at `/openapi.json` and `/reference`.
 */
export interface Service {
  /** Answers one request; it never rejects. */
  answer(incoming: Incoming): Promise<Answer>;
  /** `answer` for those who have a `Request`. @param rawTarget Path and query exactly as the client sent them. */
  handle(request: Request, rawTarget: string): Promise<Response>;
  /**
   * Whether what was answered with this validator is what a request of the site's own proxy would be answered now. It says no
   * where it cannot tell; then a signed request finds out. No data is read, and nothing is signed, since none leaves.
   */
  confirms(known: KnownAnswer): Promise<boolean>;
  close(): Promise<void>;
}

/** What the proxy in this process has. */
export interface KnownAnswer {
  /** Path and query of the read, with its requestor. */
  readonly rawTarget: string;
  /** A container's. */
  readonly consumerKey: string;
  readonly requestorId: string;
  readonly etag: string;
}

export async function createService(options: ServiceOptions): Promise<Service> {
  const { db, nonces, secretKey, mediaFolder, now = Date.now, random = randomBytes, log, observe } = options;
  const publicUrl = new URL(options.publicUrl).origin;
  const verify = createVerifier({ nonces, secretKey, now });
  const authenticate = createAuthenticator({ db, verify });
  const answerTokens = createTokenEndpoints({ db, verify, secretKey, now, random });
  const keepRecords = createRecordsEndpoint({
    db,
    verify,
    mediaFolder,
    secretKey,
    now,
    random,
    passwords: options.passwords,
    alsoRemove: options.alsoRemove,
  });
  const askSite = siteReader(db);
  let site = await askSite(); // the first request is as quick as any
  const signedOrigin = createSignedOrigin(publicUrl);
  const performer = createPerformer({ db, publicUrl, now, random });
  const rateLimit = createRateLimit(now);
  const reference = createReference({ publicUrl, readSite });
  const wideReads = createWideReads();
  const rpc = createRpc({
    readSite,
    admit,
    charge: refuseTooMany,
    perform: performer.perform,
    wideReads,
    explain,
    observe,
  });

  async function readSite(): Promise<SiteState> {
    site = await askSite();
    return site;
  }

  async function route(incoming: Incoming, seen: Seen): Promise<Answer> {
    const target = parseTarget(incoming.rawTarget);
    if (target.path.startsWith(mediaPath)) {
      return mediaAnswer(incoming.method, { path: target.path, db, mediaFolder });
    }
    if (target.path === certificatePath) return certificateAnswer(incoming.method, options.publicKey);
    if (isReferencePath(target.path)) return reference(incoming, target.path);
    refuseTooManyParameters(incoming, target);
    refuseMethodOverride(incoming.header);
    const endpoint = tokenEndpoint(target.path);
    if (endpoint) return tokens(incoming, target, { endpoint, seen });
    if (target.path === recordsPath) return records(incoming, target, seen);
    const dialect = rpcDialect(target.path);
    return dialect === undefined ? rest(incoming, target, seen) : rpc(incoming, target, { dialect, seen });
  }

  async function tokens(
    incoming: Incoming,
    target: Target,
    { endpoint, seen }: { readonly endpoint: TokenEndpoint; readonly seen: Seen },
  ): Promise<Answer> {
    const { settings } = await readSite();
    const { method, header, body } = incoming;
    const signed = { method, origin: signedOrigin(incoming.host), target, header, body };
    function admit(consumerKey: string): void {
      seen.consumerKey = consumerKey;
      refuseTooManyOf(consumerKey, settings);
    }
    try {
      return await answerTokens({ signed, endpoint, admit });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      seen.reason = error.problem;
      return tokenRefusal(error, publicUrl);
    }
  }

  async function records({ method, host, header, body }: Incoming, target: Target, seen: Seen): Promise<Answer> {
    const { settings } = await readSite();
    return keepRecords({ method, origin: signedOrigin(host), target, header, body }, (consumerKey) => {
      seen.consumerKey = consumerKey;
      refuseTooManyOf(consumerKey, settings);
    });
  }

  async function rest(incoming: Incoming, target: Target, seen: Seen): Promise<Answer> {
    const { epoch, settings } = await readSite();
    const found = findRoute(incoming.method, target.path, settings);
    seen.operation = found.operationId;
    const requester = await admit(incoming, target, { settings, seen });
    const hasBody = incoming.body !== undefined;
    const key = incoming.header('idempotency-key');
    const ask = { ...found, query: target.query, hasBody, key, readBody: (topic: Topic) => parseBody(incoming, topic) };
    const prepared = performer.prepare(ask, { requester, settings });
    return operation(prepared.operationId).method === 'GET'
      ? read(incoming, target, { ...prepared, epoch })
      : writeAnswer(textOf(await performer.run(prepared), target, prepared), prepared.query.format);
  }

  async function read(
    { header }: Incoming,
    target: Target,
    prepared: Prepared & { readonly epoch: string },
  ): Promise<Answer> {
    const { requester, query, epoch } = prepared;
    const condition = header('if-none-match');
    // Read before the data: what changes meanwhile is newer than the validator says, never older.
    const dependency = dependencyOf({ ...prepared, memberId: requester.memberId });
    const versions = dependency && (await readVersions(db, dependency));
    const known =
      versions === undefined ? undefined : versionValidator(prepared, { epoch, edition: publicUrl, versions });
    if (known !== undefined && !condition?.includes('*') && matches(condition, known)) return notModified(known);
    const make = async () => textOf(await performer.run(prepared), target, prepared);
    const text = await (isWide(prepared) ? wideReads(make) : make());
    const etag = known ?? textValidator(text, [requester.memberId, requester.appId, query.format]);
    return matches(condition, etag) ? notModified(etag) : readAnswer(text, { format: query.format, etag });
  }

  async function confirms({ rawTarget, consumerKey, requestorId, etag }: KnownAnswer): Promise<boolean> {
    try {
      const target = parseTarget(rawTarget);
      const { epoch, settings } = site; // of the last request; if it is another now, the next one reads it
      const found = findRoute('GET', target.path, settings);
      const dependency = dependencyOf({ ...found, memberId: requestorId });
      const standing = dependency && (await findStanding(db, { key: consumerKey, requestorId, ...dependency }));
      if (standing?.epoch !== epoch) return false;
      const requester = visitorOf(standing.consumer, { consumerKey, requestorId });
      if (requester === undefined) return false;
      refuseTooMany({ requester, settings });
      const ask = { ...found, query: target.query, hasBody: false, readBody: () => null };
      const prepared = performer.prepare(ask, { requester, settings });
      return versionValidator(prepared, { epoch, edition: publicUrl, versions: standing.versions }) === etag;
    } catch {
      return false; // the signed request says what is wrong
    }
  }

  function textOf(result: Result, target: Target, { operationId, query, guids, settings, siteTime }: Prepared) {
    const context = { operationId, target, memberIds: guids.ids, publicUrl, siteName: settings.name, siteTime };
    return writeResult(query.format, result, context);
  }

  /** Verifies a request, whichever dialect it speaks. @throws OAuthError, SocialError RATE_LIMITED */
  async function admit(incoming: Incoming, target: Target, { settings, seen }: Admission): Promise<Authenticated> {
    const { method, header, body } = incoming;
    const origin = signedOrigin(incoming.host);
    const requester = await authenticate({ method, origin, target, header, body });
    seen.consumerKey = requester.consumerKey;
    refuseTooMany({ requester, settings });
    return requester;
  }

  /** What one key may ask; behind the site's own key, what one member may (contract §4). */
  function refuseTooMany({ requester, settings }: Admitted): void {
    const { consumerKey, memberId, isContainer } = requester;
    refuseTooManyOf(isContainer ? `${consumerKey} ${memberId}` : consumerKey, settings);
  }

  function refuseTooManyOf(who: string, { rateLimit: perMinute, rateBurst: burst }: Settings): void {
    const retryAfter = rateLimit.take(who, { perMinute, burst });
    if (retryAfter !== undefined) throw rateLimited(retryAfter);
  }

  function explain(thrown: unknown): SocialError {
    const error = asSocialError(thrown);
    if (ownFaults.has(error.code)) log?.error({ err: thrown }, 'request failed');
    return error;
  }

  async function answer(work: (seen: Seen) => Promise<Answer>, incoming: Failing['incoming']): Promise<Answer> {
    const startedAtMs = performance.now();
    const seen: Seen = {};
    const answered = await work(seen).catch((thrown: unknown) => {
      const error = explain(thrown);
      seen.reason = error.problem ?? error.code;
      return errorAnswer(error, { origin: publicUrl, incoming });
    });
    observe?.(observation(answered, seen, startedAtMs));
    return answered;
  }

  return {
    answer: (incoming) => answer((seen) => route(incoming, seen), incoming),
    async handle(request, rawTarget) {
      const { method, headers } = request;
      const work = async (seen: Seen) => {
        const body = await readBody(request);
        const header = (name: string) => headers.get(name) ?? undefined;
        return route({ method, rawTarget, host: new URL(request.url).host, header, body }, seen);
      };
      const { status, headers: fields, body } = await answer(work, { rawTarget });
      const sent = method === 'HEAD' ? null : body;
      return new Response(typeof sent === 'object' && sent !== null ? Buffer.from(sent) : sent, {
        status,
        headers: fields,
      });
    },
    confirms,
    close: () => nonces.close(),
  };
}

/** What `admit` goes by, and what it notes. */
export interface Admission {
  readonly settings: Settings;
  readonly seen: Seen;
}

const ownFaults: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE', 'STORAGE_FULL']);

function refuseMethodOverride(header: Incoming['header']): void {
  if (header('x-http-method-override') !== undefined) {
    throw new SocialError('BAD_REQUEST', 'Send the method itself instead of X-HTTP-Method-Override.');
  }
}
