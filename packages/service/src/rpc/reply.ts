import {
  isRecord,
  type OperationId,
  type RequestParams,
  refuseUnboundNames,
  SocialError,
  type WireError,
} from '@gantry/wire';
import { rpcParts } from '../formats/json.ts';
import { answerTooLarge, joinWithin, type Parts } from '../formats/parts.ts';
import { callObservation, type Observe, type Seen } from '../observe.ts';
import type { Admitted, Perform } from '../perform.ts';
import type { Json } from '../read-json.ts';
import { isWide, type WideReads } from '../wide-reads.ts';
import { askOf } from './ask.ts';
import { findMethod, listMethods, methodNames } from './methods.ts';
import { rpcError, unknownMethod } from './rpc-error.ts';

/** Where a dialect puts the result of a call (contract §1). */
export type ResultMember = 'data' | 'result';

/** One call of a request, and what its answer may take of the request's. */
export interface Asked {
  /** Names and values of the answer before its result, as JSON: `"id":1,`, or nothing. */
  readonly head: string;
  /** Its answer where there is no room for another. */
  readonly refusal: string;
  readonly member: ResultMember;
  /** Bytes that are left for it: at least those of `refusal`. */
  readonly room: number;
}

export interface ReplyOptions {
  readonly perform: Perform;
  readonly wideReads: WideReads;
  /** Brings what was thrown to the one error class, and logs what is our own fault. */
  explain(thrown: unknown): SocialError;
  /** Gets every call that was answered. */
  readonly observe?: Observe | undefined;
}

/** Bytes of the longest answer to a write. With less room it is not done: nobody would hear of it. */
const mostOfWrite = 65_536;

/** Makes the function that answers one call of a request as JSON, whatever it holds: it never rejects. */
export function createReply({ perform, wideReads, explain, observe }: ReplyOptions) {
  async function result(
    { method, params }: JsonObject,
    { head, member, room }: Asked,
    { admitted, seen }: { readonly admitted: Admitted; readonly seen: Seen },
  ): Promise<string> {
    const textOf = (parts: Parts) => joinWithin(replyParts(head, member, parts), room);
    if (typeof method !== 'string') throw new SocialError('BAD_REQUEST', 'method must be the name of a method.');
    if (method === listMethods) return textOf([JSON.stringify(methodNames(admitted.settings))]);
    const found = findMethod(method);
    if (!found) throw new UnknownMethod(method);
    const ask = askOf(found, paramsOf(params), admitted.settings);
    seen.operation = ask.operationId;
    if (found.verb !== 'GET' && room < mostOfWrite) throw answerTooLarge();
    // What is performed has an operation.
    const make = async () => textOf(rpcParts(await perform(ask, admitted), ask.operationId as OperationId));
    return isWide(ask) ? wideReads(make) : make();
  }

  return async (item: Json, asked: Asked, admitted: Admitted): Promise<string> => {
    const { head, refusal, room } = asked;
    const startedAtMs = performance.now();
    const seen: Seen = { consumerKey: admitted.requester.consumerKey };
    let error: SocialError | undefined;
    try {
      if (room <= Buffer.byteLength(refusal)) throw answerTooLarge();
      const call = objectOf(item);
      checkId(call);
      return await result(call, asked, { admitted, seen });
    } catch (thrown) {
      error = explain(thrown);
      const text = errorText(head, error);
      return Buffer.byteLength(text) <= room ? text : refusal;
    } finally {
      observe?.(callObservation(error, seen, startedAtMs));
    }
  };
}

function* replyParts(head: string, member: ResultMember, result: Parts): Generator<string> {
  yield `{${head}"${member}":`;
  yield* result;
  yield '}';
}

/** The answer to a call for which there is no room in the answer to its request (contract §8 Bounds). */
export function refusalOf(head: string): string {
  return `{${head}${refusal}`;
}

const refusal = errorText('', answerTooLarge()).slice(1);

function errorText(head: string, error: SocialError): string {
  return `{${head}"error":${JSON.stringify(rpcError(error))}}`;
}

/**
 * The id of a call as its answer repeats it.
 *
 * @param exact The id as it was written, where a number would change.
 */
export function headOf(item: Json, exact: unknown): string {
  const id = isRecord(item) ? item.id : undefined;
  return isId(id) ? `"id":${JSON.stringify(exact ?? id)},` : '';
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

function checkId({ id = null }: JsonObject): void {
  if (id === null || isId(id)) return;
  throw new SocialError('BAD_REQUEST', 'The id of a call is text or a number.');
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number';
}

function paramsOf(params: Json | undefined): RequestParams {
  if (params === undefined || params === null) return {};
  if (!isRecord(params)) throw new SocialError('BAD_REQUEST', 'params must be an object of names and values.');
  refuseUnboundNames(Object.keys(params));
  return params;
}
