import { isRecord, type RequestParams, refuseUnboundNames, SocialError, type WireError } from '@gantry/wire';
import { isList, type Result } from '../formats/result.ts';
import { callObservation, type Observe, type Seen } from '../observe.ts';
import type { Admitted, Perform } from '../perform.ts';
import type { Json } from '../read-json.ts';
import { askOf } from './ask.ts';
import { findMethod, listMethods, methodNames } from './methods.ts';
import { rpcError, unknownMethod } from './rpc-error.ts';

/** Where a dialect puts the result of a call (contract §1). */
export type ResultMember = 'data' | 'result';

/** The answer to one call: its id, and a result or an error. */
export interface Reply {
  readonly id?: unknown;
  readonly data?: unknown;
  readonly result?: unknown;
  readonly error?: WireError;
}

export interface ReplyOptions {
  readonly perform: Perform;
  /** Brings what was thrown to the one error class, and logs what is our own fault. */
  explain(thrown: unknown): SocialError;
  /** Gets every call that was answered. */
  readonly observe?: Observe | undefined;
}

/** Makes the function that answers one call of a request, whatever it holds: it never rejects. */
export function createReply({ perform, explain, observe }: ReplyOptions) {
  async function result({ method, params }: JsonObject, admitted: Admitted, seen: Seen): Promise<unknown> {
    if (typeof method !== 'string') throw new SocialError('BAD_REQUEST', 'method must be the name of a method.');
    if (method === listMethods) return methodNames(admitted.settings);
    const found = findMethod(method);
    if (!found) throw new UnknownMethod(method);
    const ask = askOf(found, paramsOf(params), admitted.settings);
    seen.operation = ask.operationId;
    return resultOf(await perform(ask, admitted));
  }

  return async (item: Json, member: ResultMember, admitted: Admitted): Promise<Reply> => {
    const startedAtMs = performance.now();
    const seen: Seen = { consumerKey: admitted.requester.consumerKey };
    let head: Pick<Reply, 'id'> = {};
    let error: SocialError | undefined;
    try {
      const call = objectOf(item);
      head = headOf(call);
      return { ...head, [member]: await result(call, admitted, seen) };
    } catch (thrown) {
      error = explain(thrown);
      return { ...head, error: rpcError(error) };
    } finally {
      observe?.(callObservation(error, seen, startedAtMs));
    }
  };
}

type JsonObject = { readonly [key: string]: Json };

/** Has a number of JSON-RPC's own, which REST has no word for. */
class UnknownMethod extends SocialError {
  constructor(name: string) {
    super(
      'NOT_FOUND',
      `There is no method ${JSON.stringify(name.slice(0, 64))}: ask ${listMethods} for those that there are.`,
    );
  }
  override toWire(): WireError {
    return { code: unknownMethod, message: this.message };
  }
}

function objectOf(item: Json): JsonObject {
  if (isRecord(item)) return item as JsonObject;
  throw new SocialError('BAD_REQUEST', 'A call is an object: {"method": "people.get", "id": "1", "params": {}}.');
}

function headOf({ id = null }: JsonObject): Pick<Reply, 'id'> {
  if (id === null) return {};
  if (typeof id === 'string' || typeof id === 'number') return { id };
  throw new SocialError('BAD_REQUEST', 'The id of a call is text or a number.');
}

function paramsOf(params: Json | undefined): RequestParams {
  if (params === undefined || params === null) return {};
  if (!isRecord(params)) throw new SocialError('BAD_REQUEST', 'params must be an object of names and values.');
  refuseUnboundNames(Object.keys(params));
  return params;
}

/** A list under the names that gadgets know; everything else as it is, without its envelope. */
function resultOf(result: Result): unknown {
  if (!isList(result)) return result.entry;
  const { entry, startIndex, totalResults, itemsPerPage } = result;
  return { list: entry, startIndex, totalResults, itemsPerPage };
}
