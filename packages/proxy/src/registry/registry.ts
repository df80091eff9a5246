import type { Database } from '@gantry/store';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { createGate, type Gate, isLocalHost, readBearer, type TakeRate } from '@gantry/wire/runtime';
import * as v from 'valibot';
import { parseBody } from '../http/parse-body.ts';
import { readUpload } from '../http/read-upload.ts';
import { jsonAnswer } from '../http/responses.ts';
import { issueMessage } from '../http/validate.ts';
import { openApiOfRegistry } from './openapi.ts';
import { type RegistryKey, verifyRegistryKey } from './registry-keys.ts';
import {
  matchRegistryRoute,
  type RegistryOperation,
  type RegistryParams,
  registryRoot,
  registryRoutes,
} from './registry-routes.ts';

/** A request of a valid key to an app in its scope. */
export interface RegistryCall {
  readonly key: RegistryKey;
  /** The key as the audit names it. */
  readonly by: string;
  readonly params: RegistryParams;
  /** Reads and validates a body of JSON. @throws SocialError */
  json<Schema extends v.GenericSchema>(schema: Schema): Promise<v.InferOutput<Schema>>;
  /** Reads a body of bytes. @throws SocialError */
  bytes(most: number): Promise<Uint8Array>;
}

/** Work of each operation. Resolves with the answer as JSON; `undefined` is 204. */
export type RegistryHandlers = Readonly<Record<RegistryOperation, (call: RegistryCall) => Promise<unknown>>>;

export interface RegistryOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly takeRate: TakeRate;
  readonly publicUrl: string;
  readonly handlers: RegistryHandlers;
  /** Records a change that was refused before it reached the site. */
  readonly refused: (attempt: RefusedChange) => Promise<void>;
}

export interface RefusedChange {
  readonly app: string;
  readonly by: string;
  readonly action: string;
  readonly version: string | undefined;
  readonly error: SocialError;
}

/** Most bytes of a list of files. */
const maxJsonBytes = 1024 * 1024;
/** Requests of a key (docs/limits.md): a version of 2,000 files at once, then ten a second. */
const rate = {
  perMinute: 600,
  burst: 3_000,
};
/** Refused changes that a key may add to the audit; the rest are refused all the same. */
const auditRate = { perMinute: 6, burst: 60 };
/** Bodies that are received at a time, of one key and of all (security rule 35). */
const bodiesOfKey = { atOnce: 4, bound: { waiting: 64, full: busy } };
const bodiesOfAll = { atOnce: 64, bound: { waiting: 256, full: busy } };

/**
 * Answers `/gantry/registry/`: versions of apps, delivered with a bearer key
 * (docs/decisions/0089-delivery-over-http.md). The key comes before everything that costs: no body
 * is read without one (security rule 25). There is no CORS, so that no page can use a key.
 */
export function createRegistry({ db, now, takeRate, publicUrl, handlers, refused }: RegistryOptions) {
  const gates = new Map<string, Gate>();
  const gateOfAll = createGate(bodiesOfAll);
  const document = JSON.stringify(openApiOfRegistry(publicUrl), null, 2);

  async function keyOf({ headers, url }: Request): Promise<RegistryKey> {
    const { host } = new URL(url);
    if (!isOfSite(host, publicUrl)) throw new SocialError('MISDIRECTED', `The registry is at ${publicUrl} only.`);
    const bearer = readBearer({ header: (name) => headers.get(name) ?? undefined, host }, publicUrl);
    if (bearer === undefined) throw new SocialError('UNAUTHORIZED', 'Send a key as Authorization: Bearer.');
    return verifyRegistryKey(db, bearer, now());
  }

  function inTurn<T>(key: RegistryKey, work: () => Promise<T>): Promise<T> {
    const gate = gates.get(key.id) ?? createGate({ ...bodiesOfKey, idle: () => gates.delete(key.id) });
    gates.set(key.id, gate);
    return gate(() => gateOfAll(work));
  }

  function callOf(request: Request, key: RegistryKey, params: RegistryParams): RegistryCall {
    async function bytes(most: number): Promise<Uint8Array> {
      const body = await readUpload(request, { mostBytes: most, inTurn: (read) => inTurn(key, read) });
      await keyOf(request); // it may have been revoked while the body came
      return body;
    }
    return {
      key,
      by: `key:${key.id}`,
      params,
      bytes,
      async json(schema) {
        if (!/^application\/json(;\s*charset="?utf-8"?)?$/i.test(request.headers.get('content-type') ?? '')) {
          throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: Content-Type: application/json.');
        }
        return validBody(schema, parseBody(await bytes(maxJsonBytes)));
      },
    };
  }

  async function run(operation: RegistryOperation, call: RegistryCall): Promise<HttpResponse> {
    const { isChange } = registryRoutes[operation];
    const { app, version } = call.params;
    try {
      requireScope(operation, call);
      const answer = await handlers[operation](call);
      return answer === undefined ? { status: 204, headers: noStore, body: null } : jsonAnswer(answer);
    } catch (error) {
      if (isChange && isRefusal(error) && (await takeRate(`audit ${call.key.id}`, auditRate)) === undefined) {
        await refused({ app, by: call.by, action: operation, version: version || undefined, error });
      }
      throw error;
    }
  }

  return {
    routes: [
      `GET ${documentPath}`,
      ...Object.values(registryRoutes).map(({ method, path }) => `${method} ${registryRoot}${path}`),
    ],
    /** Does the work of a request that comes from the site's own machine, and needs no key. */
    ask({ method, path, body, by }: LocalRequest): Promise<unknown> {
      const match = matchRegistryRoute(method, registryRoot + path);
      if (match === undefined || 'allow' in match) throw new SocialError('NOT_FOUND', 'There is no such operation.');
      return handlers[match.operation]({
        key: { ...localKey, apps: [match.params.app] },
        by,
        params: match.params,
        json: async (schema) => validBody(schema, body),
        bytes: async () => noBytes,
      });
    },
    /** Resolves with the answer. @throws SocialError and StoreError. */
    async answer(request: Request): Promise<HttpResponse> {
      const { pathname } = new URL(request.url);
      if (pathname === documentPath) return documentAnswer(request, document);
      const match = matchRegistryRoute(request.method, pathname);
      if (match === undefined) throw new SocialError('NOT_FOUND', 'There is nothing at this address.');
      if ('allow' in match) {
        throw new SocialError('METHOD_NOT_ALLOWED', `This address takes ${match.allow.join(', ')}.`, match);
      }
      const key = await keyOf(request);
      const retryAfter = await takeRate(`registry ${key.id}`, rate);
      if (retryAfter !== undefined) {
        throw new SocialError('RATE_LIMITED', `This key sends too much: retry in ${retryAfter} s.`, { retryAfter });
      }
      return run(match.operation, callOf(request, key, match.params));
    },
  };
}

/** A request of a command. */
export interface LocalRequest {
  readonly method: 'GET' | 'POST';
  /** Below the root. */
  readonly path: string;
  readonly body?: object;
  /** Maker, as in `AuditEntry.actor`. */
  readonly by: string;
}

const localKey = { id: 'local', title: '', may: 'live', createdAt: '', expiresAt: '' } as const;
const noBytes = new Uint8Array();

/** @throws SocialError BAD_REQUEST that names the first wrong member. */
function validBody<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body, { abortEarly: true });
  if (result.success) return result.output;
  throw new SocialError('BAD_REQUEST', `The body: ${issueMessage(result.issues[0])}`);
}

const documentPath = `${registryRoot}/openapi.json`;
const noStore = { 'Cache-Control': 'no-store' };

function documentAnswer({ method }: Request, body: string): HttpResponse {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new SocialError('METHOD_NOT_ALLOWED', 'Use GET.', { allow: ['GET', 'HEAD'] });
  }
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Access-Control-Allow-Origin': '*', // for tools in browsers; it holds no data
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body };
}

/** Returns whether a host is the site's, not one of apps. A local site has loopback names, too. */
function isOfSite(host: string, publicUrl: string): boolean {
  const site = new URL(publicUrl);
  return (
    host === site.host || (isLocalHost(site.hostname) && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host))
  );
}

/** @throws SocialError FORBIDDEN */
function requireScope(operation: RegistryOperation, { key, params: { app } }: RegistryCall): void {
  if (app !== '' && !key.apps.includes(app)) {
    throw new SocialError('FORBIDDEN', `The key is not for ${JSON.stringify(app.slice(0, 64))}.`);
  }
  const { may } = registryRoutes[operation];
  if (may.some((one) => one === key.may)) return;
  throw new SocialError('FORBIDDEN', `This needs a key of --may ${may.join(' or ')}; this one has ${key.may}.`);
}

/** Returns whether an attempt was refused, and not only hindered. */
function isRefusal(error: unknown): error is SocialError {
  return error instanceof SocialError && error.status < 500 && error.code !== 'RATE_LIMITED';
}

function busy(): SocialError {
  return new SocialError('UNAVAILABLE', 'Too many files arrive at the moment: try again.', { retryAfter: 2 });
}
