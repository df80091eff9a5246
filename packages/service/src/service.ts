import { randomBytes } from 'node:crypto';
import { OAuthError, parseTarget, type Target } from '@gantry/oauth';
import type { Database, Statement } from '@gantry/store';
import {
  type ConditionalRead,
  createRateLimit,
  type ErrorCode,
  type HttpRequest,
  type HttpResponse,
  isWide,
  type Logger,
  operation,
  SocialError,
  type Topic,
} from '@gantry/wire';
import { type Authenticated, createAuthenticator, inProcessRequester } from './auth/authenticate.ts';
import { certificateAnswer, certificatePath } from './auth/certificate.ts';
import type { Nonces } from './auth/nonces.ts';
import type { Passwords } from './auth/passwords.ts';
import { createSignedOrigin } from './auth/signed-origin.ts';
import { createTokenEndpoints, findTokenEndpoint, type TokenEndpoint, tokenRefusal } from './auth/token-endpoints.ts';
import { createVerifier, refuseTooManyParameters } from './auth/verify-request.ts';
import type { Result } from './formats/result.ts';
import { writeResult } from './formats/write-result.ts';
import { type CallContext, createOperationRunner, type PreparedOperation } from './handlers/operation-runner.ts';
import {
  asSocialError,
  errorAnswer,
  etagMatches,
  type FailedRequest,
  notModified,
  readAnswer,
  writeAnswer,
} from './http/answer.ts';
import { parseBody, readBody } from './http/body.ts';
import { findRoute } from './http/find-route.ts';
import { mediaAnswer, mediaPath } from './http/media.ts';
import { dependencyOf, textValidator, versionValidator } from './http/validator.ts';
import { type Observe, observation, type Trace } from './observe.ts';
import { createReference, isReferencePath } from './openapi/reference.ts';
import { createRpc, rpcDialect } from './rpc/rpc.ts';
import { createSiteReader, type Settings, type SiteState } from './settings.ts';
import { findReadState } from './store/read-state.ts';
import { readVersions } from './store/versions.ts';
import { createWideReads } from './wide-reads.ts';
import { createRecordsEndpoint, recordsPath } from './world/records-endpoint.ts';

export interface ServiceOptions {
  /** With the schema of `serviceMigrations`. */
  readonly db: Database;
  readonly nonces: Nonces;
  /** The site's public origin, for example `https://social.example`. */
  readonly publicUrl: string;
  /** 32 bytes: opens consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Folder of the media files. */
  readonly mediaFolder: string;
  /** The site's public key in PEM, which apps verify its signatures with. */
  readonly publicKey?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Hashes the passwords of records. Default: a few at a time, at the current cost. */
  readonly passwords?: Passwords;
  /** Returns statements that delete other data of a removed member, in the same transaction. */
  readonly alsoRemove?: (member: string) => readonly Statement[];
  /** Logs server faults only, never request data. */
  readonly log?: Logger;
  /** Called after every answer, for metrics and logs. */
  readonly observe?: Observe;
}

/**
 * The Social REST API below `/social/rest`, JSON-RPC at `/social/rpc` and `/rpc`, OAuth's token
 * endpoints, the site's public key, media below `/gantry/media`, records at
 * `/gantry/admin/records`, and their description at `/openapi.json` and `/reference`.
 */
export interface Service {
  /** Answers one request. It never rejects. */
  answer(incoming: HttpRequest): Promise<HttpResponse>;
  /** Answers a `Request`. @param rawTarget Path and query exactly as the client sent them. */
  handle(request: Request, rawTarget: string): Promise<Response>;
  /**
   * True if the site's own proxy would get an answer with this validator now. False if that is
   * unknown; a signed request then decides. Reads no member data.
   */
  confirms(known: ConditionalRead): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Creates the service of one site.
 *
 * @example
 * import { migrate, openSqlite } from '@gantry/store';
 * const db = openSqlite({ file: ':memory:' });
 * await migrate(db, { name: 'service', migrations: serviceMigrations });
 * const nonces = await openNonces(db);
 * const secretKey = new Uint8Array(32);
 * const publicUrl = 'https://social.example';
 * const service = await createService({ db, nonces, publicUrl, secretKey, mediaFolder: 'media' });
 * const answer = await service.handle(new Request(`${publicUrl}/openapi.json`), '/openapi.json');
 * answer.status; // 200
 * await service.close();
 * await db.close();
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { db, nonces, secretKey, mediaFolder, now = Date.now, random = randomBytes, log, observe } = options;
  const publicUrl = new URL(options.publicUrl).origin;
  const verify = createVerifier({ nonces, secretKey, now });
  const authenticate = createAuthenticator({ db, verify });
  const issueToken = createTokenEndpoints({ db, verify, secretKey, now, random });
  const storeRecords = createRecordsEndpoint({
    db,
    verify,
    mediaFolder,
    secretKey,
    now,
    random,
    passwords: options.passwords,
    alsoRemove: options.alsoRemove,
  });
  const readSiteState = createSiteReader(db);
  let site = await readSiteState(); // so that the first request is as fast as any
  const signedOrigin = createSignedOrigin(publicUrl);
  const operations = createOperationRunner({ db, publicUrl, now, random });
  const rateLimit = createRateLimit(now);
  const reference = createReference({ publicUrl, readSite });
  const wideReads = createWideReads();
  const rpc = createRpc({
    readSite,
    admit,
    charge: refuseTooMany,
    run: operations.run,
    wideReads,
    toSocialError,
    observe,
  });

  async function readSite(): Promise<SiteState> {
    site = await readSiteState();
    return site;
  }

  async function route(incoming: HttpRequest, trace: Trace): Promise<HttpResponse> {
    const target = parseTarget(incoming.rawTarget);
    if (target.path.startsWith(mediaPath)) {
      return mediaAnswer(incoming.method, { path: target.path, db, mediaFolder });
    }
    if (target.path === certificatePath) return certificateAnswer(incoming.method, options.publicKey);
    if (isReferencePath(target.path)) return reference(incoming, target.path);
    refuseTooManyParameters(incoming, target);
    refuseMethodOverride(incoming.header);
    const endpoint = findTokenEndpoint(target.path);
    if (endpoint) return tokens(incoming, target, { endpoint, trace });
    if (target.path === recordsPath) return records(incoming, target, trace);
    const dialect = rpcDialect(target.path);
    return dialect === undefined ? rest(incoming, target, trace) : rpc(incoming, target, { dialect, trace });
  }

  async function tokens(
    incoming: HttpRequest,
    target: Target,
    { endpoint, trace }: { readonly endpoint: TokenEndpoint; readonly trace: Trace },
  ): Promise<HttpResponse> {
    const { settings } = await readSite();
    const { method, header, body } = incoming;
    const signed = { method, origin: signedOrigin(incoming.host), target, header, body };
    function onVerified(consumerKey: string): void {
      trace.consumerKey = consumerKey;
      refuseTooManyOf(consumerKey, settings);
    }
    try {
      return await issueToken({ signed, endpoint, onVerified });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      trace.reason = error.problem;
      return tokenRefusal(error, publicUrl);
    }
  }

  async function records(
    { method, host, header, body }: HttpRequest,
    target: Target,
    trace: Trace,
  ): Promise<HttpResponse> {
    const { settings } = await readSite();
    return storeRecords({ method, origin: signedOrigin(host), target, header, body }, (consumerKey) => {
      trace.consumerKey = consumerKey;
      refuseTooManyOf(consumerKey, settings);
    });
  }

  async function rest(incoming: HttpRequest, target: Target, trace: Trace): Promise<HttpResponse> {
    const { epoch, settings } = await readSite();
    const found = findRoute(incoming.method, target.path, settings);
    trace.operation = found.operationId;
    const requester = await admit(incoming, target, { settings, trace });
    const hasBody = incoming.body !== undefined;
    const key = incoming.header('idempotency-key');
    const request = {
      ...found,
      query: target.query,
      hasBody,
      key,
      readBody: (topic: Topic) => parseBody(incoming, topic),
    };
    const prepared = operations.prepare(request, { requester, settings });
    return operation(prepared.operationId).method === 'GET'
      ? read(incoming, target, { ...prepared, epoch })
      : writeAnswer(textOf(await operations.execute(prepared), target, prepared), prepared.query.format);
  }

  async function read(
    { header }: HttpRequest,
    target: Target,
    prepared: PreparedOperation & { readonly epoch: string },
  ): Promise<HttpResponse> {
    const { requester, query, epoch } = prepared;
    const condition = header('if-none-match');
    // Read before the data: a concurrent change makes the data newer than its validator, never
    // older.
    const dependency = dependencyOf({ ...prepared, memberId: requester.memberId });
    const versions = dependency && (await readVersions(db, dependency));
    const known =
      versions === undefined ? undefined : versionValidator(prepared, { epoch, edition: publicUrl, versions });
    if (known !== undefined && !condition?.includes('*') && etagMatches(condition, known)) return notModified(known);
    const make = async () => textOf(await operations.execute(prepared), target, prepared);
    const text = await (isWide(prepared.operationId, prepared.params.guid) ? wideReads(make) : make());
    const etag = known ?? textValidator(text, [requester.memberId, requester.appId, query.format]);
    return etagMatches(condition, etag) ? notModified(etag) : readAnswer(text, { format: query.format, etag });
  }

  async function confirms({ rawTarget, consumerKey, requestorId, etag }: ConditionalRead): Promise<boolean> {
    try {
      const target = parseTarget(rawTarget);
      const { epoch, settings } = site; // as of the last request
      const found = findRoute('GET', target.path, settings);
      const dependency = dependencyOf({ ...found, memberId: requestorId });
      const state = dependency && (await findReadState(db, { key: consumerKey, requestorId, ...dependency }));
      if (state?.epoch !== epoch) return false;
      const requester = inProcessRequester(state.consumer, { consumerKey, requestorId });
      if (requester === undefined) return false;
      refuseTooMany({ requester, settings });
      const request = { ...found, query: target.query, hasBody: false, readBody: () => null };
      const prepared = operations.prepare(request, { requester, settings });
      return versionValidator(prepared, { epoch, edition: publicUrl, versions: state.versions }) === etag;
    } catch {
      return false; // the signed request reports the error
    }
  }

  function textOf(
    result: Result,
    target: Target,
    { operationId, query, guids, settings, zonedTime }: PreparedOperation,
  ) {
    const context = { operationId, target, memberIds: guids.ids, publicUrl, siteName: settings.name, zonedTime };
    return writeResult(query.format, result, context);
  }

  /** Verifies a request and counts it. @throws OAuthError, SocialError RATE_LIMITED */
  async function admit(incoming: HttpRequest, target: Target, { settings, trace }: Admission): Promise<Authenticated> {
    const { method, header, body } = incoming;
    const origin = signedOrigin(incoming.host);
    const requester = await authenticate({ method, origin, target, header, body });
    trace.consumerKey = requester.consumerKey;
    refuseTooMany({ requester, settings });
    return requester;
  }

  /** Counts a request against its key's rate or, for the site's key, its member's (contract §4). */
  function refuseTooMany({ requester, settings }: CallContext): void {
    const { consumerKey, memberId, isContainer } = requester;
    refuseTooManyOf(isContainer ? `${consumerKey} ${memberId}` : consumerKey, settings);
  }

  function refuseTooManyOf(who: string, { rateLimit: perMinute, rateBurst: burst }: Settings): void {
    const retryAfter = rateLimit.take(who, { perMinute, burst });
    if (retryAfter === undefined) return;
    throw new SocialError('RATE_LIMITED', `Too many requests: go on in ${retryAfter} s, and more slowly.`, {
      retryAfter,
      problem: 'rate_limited',
    });
  }

  function toSocialError(thrown: unknown): SocialError {
    const error = asSocialError(thrown);
    if (ownFaults.has(error.code)) log?.error({ err: thrown }, 'request failed');
    return error;
  }

  async function observed(
    work: (trace: Trace) => Promise<HttpResponse>,
    incoming: FailedRequest['incoming'],
  ): Promise<HttpResponse> {
    const startedAtMs = performance.now();
    const trace: Trace = {};
    const answer = await work(trace).catch((thrown: unknown) => {
      const error = toSocialError(thrown);
      trace.reason = error.problem ?? error.code;
      return errorAnswer(error, { origin: publicUrl, incoming });
    });
    observe?.(observation(answer, trace, startedAtMs));
    return answer;
  }

  return {
    answer: (incoming) => observed((trace) => route(incoming, trace), incoming),
    async handle(request, rawTarget) {
      const { method, headers } = request;
      const work = async (trace: Trace) => {
        const body = await readBody(request);
        const header = (name: string) => headers.get(name) ?? undefined;
        return route({ method, rawTarget, host: new URL(request.url).host, header, body }, trace);
      };
      const { status, headers: fields, body } = await observed(work, { rawTarget });
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

/** Settings to admit a request by, and the trace to fill. */
export interface Admission {
  readonly settings: Settings;
  readonly trace: Trace;
}

const ownFaults: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE', 'STORAGE_FULL']);

function refuseMethodOverride(header: HttpRequest['header']): void {
  if (header('x-http-method-override') !== undefined) {
    throw new SocialError('BAD_REQUEST', 'Send the method itself instead of X-HTTP-Method-Override.');
  }
}
