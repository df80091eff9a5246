import { type AppRequest, batchText, countStrings, type Failure, failureOf, limits } from '@gantry/bridge';
import {
  bounds,
  type CachePolicy,
  operation,
  parseJson,
  permissionsFor,
  type RequestParams,
  type ResourceRequest,
  resolveRequest,
  SocialError,
} from '@gantry/wire';
import type { Asked, Needs } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import { resultKey } from './stored-results.ts';

/** A read with its key and policy. */
export interface Read extends Asked {
  readonly key: string;
  readonly policy: CachePolicy;
  readonly needs: Needs;
  readonly session: Session;
  /** The call as the app wrote it. */
  readonly sent: ResourceRequest;
}

export interface Write extends Asked {
  readonly session: Session;
  readonly sent: ResourceRequest;
}

export type ParseRequest = (session: Session, request: AppRequest) => Read | Write | Failure;

const maxKnownReads = 500; // per gadget
// Less the levels of a POST's body: one call that is too deep would fail all calls of its POST.
const maxDepth = bounds.depth - 3;
const maxKnownText = 4_096; // per read; longer ones are rare

/** Parses requests of apps. Repeated reads are parsed once for each text. */
export function createRequestParser(): ParseRequest {
  const reads = new WeakMap<Session, KnownReads>();

  function remember(session: Session, { operation: name, params }: AppRequest, read: Read): void {
    let known = reads.get(session);
    if (known === undefined || known.count === maxKnownReads) {
      known = { count: 0, byOperation: new Map() };
      reads.set(session, known);
    }
    known.count += 1;
    const ofOperation = known.byOperation.get(name) ?? new Map<string, Read>();
    known.byOperation.set(name, ofOperation.set(params, read));
  }

  return (session, appRequest) => {
    const { operation: name, params } = appRequest;
    const earlier = reads.get(session)?.byOperation.get(name)?.get(params);
    if (earlier !== undefined) return earlier;
    const { scope } = session;
    try {
      refuseCostlyText(params);
      const sent = { operation: name, params: paramsOf(params) };
      refuseCostlyText(sent.params.data ?? sent.params.appdata); // may be JSON text
      const { app, viewer, owner } = scope;
      const request = resolveRequest(sent, { app, viewer: viewer ?? undefined, owner: owner ?? undefined });
      const { cache: policy, osapi: call } = operation(request.operation);
      if (policy === undefined) return { scope, request, session, sent };
      if (params.length > batchText) throw tooLarge(`The parameters of a read have at most ${batchText} characters.`);
      const needs = { call, permissions: permissionsFor(request) };
      const read = { key: resultKey(scope, request), scope, request, policy, needs, session, sent };
      if (params.length <= maxKnownText) remember(session, appRequest, read);
      return read;
    } catch (error) {
      return failureOf(error);
    }
  };
}

/** By operation, then parameters: one joined text would be hashed for each call. */
interface KnownReads {
  count: number;
  readonly byOperation: Map<string, Map<string, Read>>;
}

/** @throws SocialError BAD_REQUEST for text that is not a JSON object, or too deep. */
function paramsOf(text: string): RequestParams {
  let params: unknown;
  try {
    params = parseJson(text, maxDepth);
  } catch {
    // said below
  }
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) return params as RequestParams;
  throw new SocialError(
    'BAD_REQUEST',
    `The parameters of a call must be the JSON text of an object, at most ${maxDepth} levels deep.`,
  );
}

/** @throws SocialError TOO_LARGE for text with too many JSON strings. */
function refuseCostlyText(text: unknown): void {
  if (typeof text === 'string' && countStrings(text, limits.strings) > limits.strings) {
    throw tooLarge(`JSON text has at most ${limits.strings} strings.`);
  }
}

function tooLarge(message: string): SocialError {
  return new SocialError('TOO_LARGE', message);
}
