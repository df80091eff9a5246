import {
  isRecord,
  type OperationId,
  type RequestParams,
  refuseUnboundNames,
  SocialError,
  type WireError,
} from '@gantry/wire';
import { contentTypes } from '../formats/format.ts';
import { rpcParts } from '../formats/json.ts';
import { answerTooLarge, joinWithin, type Parts } from '../formats/parts.ts';
import type { Json } from '../formats/read-json.ts';
import type { CallContext, RunOperation } from '../handlers/operation-runner.ts';
import { type Observe, observation, type Trace } from '../observe.ts';
import type { ReadGate } from '../read-gate.ts';
import { findMethod, listMethods, methodNames } from './methods.ts';
import { toOperationRequest } from './operation-request.ts';

/** Member that holds a call's result, which depends on the path (contract §1). */
export type ResultMember = 'data' | 'result';

/** Space for one reply within the answer. */
export interface ReplySlot {
  /** JSON of the members before the result: `"id":1,` or nothing. */
  readonly head: string;
  /** Reply if the full one does not fit. */
  readonly refusal: string;
  readonly member: ResultMember;
  /** Bytes left for this reply, at least those of `refusal`. */
  readonly room: number;
}

export interface ReplyOptions {
  readonly inGate: ReadGate;
  /** Converts any failure to a SocialError, and logs server faults. */
  toSocialError(thrown: unknown): SocialError;
  /** Called after each reply. */
  readonly observe?: Observe | undefined;
}

/** Function that runs a call's operation, and the context to run it with. */
export interface Execution {
  readonly context: CallContext;
  readonly run: RunOperation;
}

/** Error numbers that JSON-RPC 2.0 reserves. */
const unknownMethod = -32601;
const internalError = -32603;

/** Bytes of the longest reply to a write, which is not executed if its result may not fit. */
const mostOfWrite = 65_536;

/** Creates the function that returns the reply to one call as JSON. It never rejects. */
export function createReply({ inGate, toSocialError, observe }: ReplyOptions) {
  async function result(
    { method, params }: JsonObject,
    { head, member, room }: ReplySlot,
    { context, run, trace }: Execution & { readonly trace: Trace },
  ): Promise<string> {
    const textOf = (parts: Parts) => joinWithin(replyParts(head, member, parts), room);
    if (typeof method !== 'string') throw new SocialError('BAD_REQUEST', 'method must be the name of a method.');
    if (method === listMethods) return textOf([JSON.stringify(methodNames(context.settings))]);
    const row = findMethod(method);
    if (!row) {
      const name = JSON.stringify(method.slice(0, 64));
      throw new UnknownMethod('NOT_FOUND', `There is no method ${name}: ${listMethods} lists those that exist.`);
    }
    const request = toOperationRequest(row, paramsOf(params), context.settings);
    trace.operation = request.operationId;
    if (row.verb !== 'GET' && room < mostOfWrite) throw answerTooLarge();
    // `run` refuses a request without operation.
    const make = async () => textOf(rpcParts(await run(request, context), request.operationId as OperationId));
    const { operationId, params: path } = request;
    if (operationId === undefined) return make();
    return inGate({ requester: context.requester, operationId, members: path.guid }, make);
  }

  return async (item: Json, slot: ReplySlot, execution: Execution): Promise<string> => {
    const { head, refusal, room } = slot;
    const startedAtMs = performance.now();
    const trace: Trace = { consumerKey: execution.context.requester.consumerKey };
    let status = 200;
    try {
      if (room <= Buffer.byteLength(refusal)) throw answerTooLarge();
      const call = objectOf(item);
      checkId(call);
      return await result(call, slot, { ...execution, trace });
    } catch (thrown) {
      const error = toSocialError(thrown);
      ({ status } = error);
      trace.reason = error.code;
      const text = errorText(head, error);
      return Buffer.byteLength(text) <= room ? text : refusal;
    } finally {
      observe?.(observation(trace, { status, type: contentTypes.json, startedAtMs, isCall: true }));
    }
  };
}

function* replyParts(head: string, member: ResultMember, result: Parts): Generator<string> {
  yield `{${head}"${member}":`;
  yield* result;
  yield '}';
}

/** Returns the reply to a call whose result does not fit the answer (contract §8 Bounds). */
export function tooLargeReply(head: string): string {
  return `{${head}${refusal}`;
}

const refusal = errorText('', answerTooLarge()).slice(1);

function errorText(head: string, error: SocialError): string {
  return `{${head}"error":${JSON.stringify(rpcError(error))}}`;
}

/** Returns the part of a reply with the call's id. @param exact The id as received, if rounded. */
export function replyHead(item: Json, exact: unknown): string {
  const id = isRecord(item) ? item.id : undefined;
  return isId(id) ? `"id":${JSON.stringify(exact ?? id)},` : '';
}

type JsonObject = { readonly [key: string]: Json };

/** Carries JSON-RPC's own error number, which REST lacks. */
class UnknownMethod extends SocialError {
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

/** Returns an error in JSON-RPC's form: the numbers of the RPC column in the contract's §4. */
export function rpcError(error: SocialError): WireError {
  const { code, message, data } = error.toWire();
  return { code: numberOf(error, code), message, ...(data && { data }) };
}

function numberOf(error: SocialError, status: number): number {
  if (error.code === 'INTERNAL') return internalError;
  return error.code === 'POSTED_TOO_SOON' ? 503 : status;
}
