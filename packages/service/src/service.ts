import { randomBytes } from 'node:crypto';
import { OAuthError, parseTarget, type Target } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { type ErrorCode, type HttpRequest, type HttpResponse, SocialError, type UnsignedRead } from '@gantry/wire';
import { createRateLimit, type Logger, type TakeRate } from '@gantry/wire/runtime';
import { type Authenticated, createAuthenticator } from './auth/authenticate.ts';
import { certificateAnswer } from './auth/certificate.ts';
import type { Nonces } from './auth/nonces.ts';
import { createSignedOrigin } from './auth/signed-origin.ts';
import { createTokenEndpoints, type TokenEndpoint, tokenRefusal } from './auth/token-endpoints.ts';
import { createVerifier, refuseTooManyParameters, type SignedRequest } from './auth/verify-request.ts';
import { type CallContext, createOperationRunner } from './handlers/operation-runner.ts';
import { asSocialError, errorAnswer } from './http/answer.ts';
import { readBody } from './http/body.ts';
import { findRoute } from './http/find-route.ts';
import { mediaAnswer } from './http/media.ts';
import { createPhotoBlobs } from './images/images.ts';
import { type Observe, observation, type Trace } from './observe.ts';
import { createReference } from './openapi/reference.ts';
import { createReadGate } from './read-gate.ts';
import { type AdmittedRead, createRest } from './rest/rest.ts';
import { type Admission, createRpc } from './rpc/rpc.ts';
import { servicePartOf, serviceRoutes } from './service-paths.ts';
import { createSiteReader, type Settings, type SiteState } from './settings.ts';
import { createRecordsEndpoint, type RecordsRequest } from './world/records-endpoint.ts';
import type { StorageOptions } from './world/store-world.ts';

export interface ServiceOptions extends StorageOptions {
  /** With the schema of `serviceMigrations`. */
  readonly db: Database;
  readonly nonces: Nonces;
  /** The site's public origin, for example `https://social.example`. */
  readonly publicUrl: string;
  /** The site's public key in PEM, which apps verify its signatures with. */
  readonly publicKey?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Counts requests of keys for all processes of the site. Default: each process for itself. */
  readonly takeRate?: TakeRate | undefined;
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
  /** Methods and paths that it answers, such as `POST /social/rpc`. */
  readonly routes: readonly string[];
  /** Answers one request. It never rejects. */
  answer(incoming: HttpRequest): Promise<HttpResponse>;
  /** Answers a `Request`. @param rawTarget Path and query exactly as the client sent them. */
  answerRequest(request: Request, rawTarget: string): Promise<HttpResponse>;
  /** `answerRequest` as a `Response`. */
  handle(request: Request, rawTarget: string): Promise<Response>;
  /**
   * Answers a read of the site's own proxy in this process as `answer` answers the signed one, for
   * keys whose secret never leaves the site. `undefined` if a signed request has to decide.
   */
  answerUnsigned(read: UnsignedRead): Promise<HttpResponse | undefined>;
  /**
   * True if the site's own proxy would get an answer with this validator now. False if that is
   * unknown; a read then decides. Reads no member data.
   */
  confirms(read: UnsignedRead): Promise<boolean>;
  close(): Promise<void>;
}

/** Creates the service of one site. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { db, nonces, secretKey, now = Date.now, random = randomBytes, observe } = options;
  const publicUrl = new URL(options.publicUrl).origin;
  const verify = createVerifier({ nonces, secretKey, now });
  const authenticate = createAuthenticator({ db, verify });
  const issueToken = createTokenEndpoints({ db, verify, secretKey, now, random });
  const storeRecords = createRecordsEndpoint({ ...options, verify, now, random });
  const photos = createPhotoBlobs(options);
  const readSiteState = createSiteReader(db);
  let site = await readSiteState(); // so that the first request is as fast as any
  const signedOrigin = createSignedOrigin(publicUrl);
  const operations = createOperationRunner({ db, publicUrl, now, random });
  const { charge, chargeKey } = createCharge(options.takeRate ?? createRateLimit(now).take);
  const { observed, toSocialError } = createObserved(publicUrl, options);
  const reference = createReference(publicUrl, readSite);
  const inGate = createReadGate();
  const rest = createRest({ db, publicUrl, operations, inGate, charge });
  const { run } = operations;
  const rpc = createRpc({ readSite, admit, charge, run, inGate, toSocialError, observe });

  async function readSite(): Promise<SiteState> {
    site = await readSiteState();
    return site;
  }

  async function route(incoming: HttpRequest, trace: Trace): Promise<HttpResponse> {
    const target = parseTarget(incoming.rawTarget);
    const { path } = target;
    const part = servicePartOf(path);
    if (part.kind === 'media') return mediaAnswer(incoming.method, { path, db, photos });
    if (part.kind === 'certificate') return certificateAnswer(incoming.method, options.publicKey);
    if (part.kind === 'reference') return reference(incoming, part.path);
    refuseTooManyParameters(incoming, target);
    refuseMethodOverride(incoming.header);
    if (part.kind === 'rpc') return rpc(incoming, target, { member: part.member, trace });
    if (part.kind === 'rest') return restRequest(incoming, target, trace);
    const endpoint = part.kind === 'token' ? part.endpoint : undefined;
    return consumerRequest({ ...signedPart(incoming, target), host: incoming.host }, { endpoint, trace });
  }

  /** Answers a consumer that asks for a token or, without `endpoint`, sends records. */
  async function consumerRequest(
    signed: RecordsRequest,
    { endpoint, trace }: { readonly endpoint: TokenEndpoint | undefined; readonly trace: Trace },
  ): Promise<HttpResponse> {
    const { settings } = await readSite();
    async function onVerified(consumerKey: string): Promise<void> {
      trace.consumerKey = consumerKey;
      await chargeKey(consumerKey, settings);
    }
    if (endpoint === undefined) return storeRecords(signed, onVerified);
    try {
      return await issueToken({ signed, endpoint, onVerified });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      trace.reason = error.problem;
      return tokenRefusal(error, publicUrl);
    }
  }

  async function restRequest(incoming: HttpRequest, target: Target, trace: Trace): Promise<HttpResponse> {
    const { epoch, settings } = await readSite();
    const match = findRoute(incoming.method, target.path, settings);
    trace.operation = match.operationId;
    const requester = await admit(incoming, target, { settings, trace });
    return rest.answer(incoming, target, { match, requester, settings, epoch });
  }

  async function answerAdmitted(admitted: AdmittedRead, read: UnsignedRead, trace: Trace): Promise<HttpResponse> {
    trace.operation = admitted.match.operationId;
    trace.consumerKey = read.consumerKey;
    return rest.answerUnsigned(admitted, read.etag);
  }

  function signedPart({ method, host, header, body }: HttpRequest, target: Target): SignedRequest {
    return { method, origin: signedOrigin(host), target, header, body };
  }

  /** Verifies a request and counts it. @throws OAuthError, SocialError RATE_LIMITED */
  async function admit(incoming: HttpRequest, target: Target, { settings, trace }: Admission): Promise<Authenticated> {
    const requester = await authenticate(signedPart(incoming, target));
    trace.consumerKey = requester.consumerKey;
    await charge({ requester, settings });
    return requester;
  }

  const answerRequest = (request: Request, rawTarget: string) =>
    observed(async (trace) => route(await readRequest(request, rawTarget), trace), rawTarget);

  return {
    routes: serviceRoutes,
    answer: (incoming) => observed((trace) => route(incoming, trace), incoming.rawTarget),
    answerRequest,
    async handle(request, rawTarget) {
      const { status, headers, body } = await answerRequest(request, rawTarget);
      const isHead = request.method === 'HEAD';
      if (isHead && body instanceof ReadableStream) await body.cancel();
      return new Response(isHead ? null : (body as string | ReadableStream | null), { status, headers });
    },
    async answerUnsigned(read) {
      const admitted = await rest.admitUnsigned(read, site);
      return admitted && observed((trace) => answerAdmitted(admitted, read, trace), read.rawTarget);
    },
    confirms: (read) => rest.confirms(read, site),
    close: () => nonces.close(),
  };
}

async function readRequest(request: Request, rawTarget: string): Promise<HttpRequest> {
  const { method, headers, url } = request;
  const header = (name: string) => headers.get(name) ?? undefined;
  return { method, rawTarget, host: new URL(url).host, header, body: await readBody(request) };
}

/** Makes the functions that count requests against rates. They throw SocialError RATE_LIMITED. */
function createCharge(take: TakeRate) {
  async function chargeKey(who: string, { rateLimit: perMinute, rateBurst: burst }: Settings): Promise<void> {
    const retryAfter = await take(`requests ${who}`, { perMinute, burst });
    if (retryAfter === undefined) return;
    throw new SocialError('RATE_LIMITED', `Too many requests: go on in ${retryAfter} s, and more slowly.`, {
      retryAfter,
      problem: 'rate_limited',
    });
  }

  /** Counts a request against its key's rate or, for the site's key, its member's (contract §4). */
  function charge({ requester, settings }: CallContext): Promise<void> {
    const { consumerKey, memberId, isContainer } = requester;
    return chargeKey(isContainer ? `${consumerKey} ${memberId}` : consumerKey, settings);
  }

  return { charge, chargeKey };
}

/** Makes the function that runs work on a request, answers its failure and observes both. */
function createObserved(origin: string, { log, observe }: Pick<ServiceOptions, 'log' | 'observe'>) {
  function toSocialError(thrown: unknown): SocialError {
    const error = asSocialError(thrown);
    if (ownFaults.has(error.code)) log?.error({ err: thrown }, 'request failed');
    return error;
  }

  async function observed(work: (trace: Trace) => Promise<HttpResponse>, rawTarget: string): Promise<HttpResponse> {
    const startedAtMs = performance.now();
    const trace: Trace = {};
    const answer = await work(trace).catch((thrown: unknown) => {
      const error = toSocialError(thrown);
      trace.reason = error.problem ?? error.code;
      return errorAnswer(error, { origin, rawTarget });
    });
    observe?.(observation(trace, { status: answer.status, type: answer.headers['Content-Type'] ?? '', startedAtMs }));
    return answer;
  }

  return { observed, toSocialError };
}

const ownFaults: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE', 'STORAGE_FULL']);

function refuseMethodOverride(header: HttpRequest['header']): void {
  if (header('x-http-method-override') !== undefined) {
    throw new SocialError('BAD_REQUEST', 'Send the method itself instead of X-HTTP-Method-Override.');
  }
}
