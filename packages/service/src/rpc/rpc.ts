import type { Target } from '@gantry/oauth';
import { type HttpRequest, type HttpResponse, isRecord, maxAnswerBytes, SocialError } from '@gantry/wire';
import type { Authenticated } from '../auth/authenticate.ts';
import type { Json } from '../formats/read-json.ts';
import type { Result } from '../formats/result.ts';
import type { CallContext, OperationRequest, RunOperation } from '../handlers/operation-runner.ts';
import { asSocialError, writeAnswer } from '../http/answer.ts';
import { parseRpcBody } from '../http/body.ts';
import type { Trace } from '../observe.ts';
import type { Settings, SiteState } from '../settings.ts';
import { exactIds } from './exact-ids.ts';
import { createReply, type ReplyOptions, type ResultMember, replyHead, rpcError, tooLargeReply } from './reply.ts';

const resultMembers: ReadonlyMap<string, ResultMember> = new Map([
  ['/social/rpc', 'data'],
  ['/rpc', 'result'],
]);

/** Paths of JSON-RPC; each also with a slash at its end. */
export const rpcPaths: readonly string[] = [...resultMembers.keys()];

/** Returns the member that holds results at a JSON-RPC path; `undefined` for other paths. */
export function resultMemberAt(path: string): ResultMember | undefined {
  return resultMembers.get(path.endsWith('/') ? path.slice(0, -1) : path);
}

export interface RpcOptions extends ReplyOptions {
  readonly run: RunOperation;
  readSite(): Promise<SiteState>;
  /** Verifies the whole request: all calls share one requester. @throws OAuthError, SocialError */
  admit(incoming: HttpRequest, target: Target, admission: Admission): Promise<Authenticated>;
  /** Counts one more call against the requester's rate limit. @throws SocialError RATE_LIMITED */
  charge(context: CallContext): Promise<void>;
}

/** Settings to admit a request by, and the trace to fill. */
export interface Admission {
  readonly settings: Settings;
  readonly trace: Trace;
}

interface RpcEntry {
  /** Member of the reply that holds a result. */
  readonly member: ResultMember;
  readonly trace: Trace;
}

const maxCalls = 100;

/**
 * Creates the function that answers JSON-RPC (contract §8) with the same handlers as REST.
 *
 * The function throws SocialError and OAuthError for a request that is refused as a whole.
 */
export function createRpc({ readSite, admit, charge, run, inGate, toSocialError, observe }: RpcOptions) {
  const reply = createReply({ inGate, toSocialError, observe });

  async function chargeAndRun(request: OperationRequest, context: CallContext): Promise<Result> {
    await charge(context);
    return run(request, context);
  }

  /** Returns the replies as JSON of at most `maxAnswerBytes`: one for each call, in order. */
  async function replies(incoming: HttpRequest, target: Target, { member, trace }: RpcEntry): Promise<string> {
    const { settings } = await readSite();
    const context = { settings, requester: await admit(incoming, target, { settings, trace }) };
    const { json, text } = parseRpcBody(incoming);
    const calls: readonly Json[] = Array.isArray(json) ? json : [oneCall(json)];
    if (calls.length > maxCalls) throw new SocialError('BAD_REQUEST', `One request makes at most ${maxCalls} calls.`);
    const ids = exactIds(calls, text);
    const heads = calls.map((call, index) => replyHead(call, ids[index]));
    const refusals = heads.map(tooLargeReply);
    // Reserves room for every call's refusal, however long the replies before it.
    let left = maxAnswerBytes - refusals.reduce((sum, refusal) => sum + Buffer.byteLength(refusal) + 1, 1);
    const list: string[] = [];
    let isFull = false;
    for (const [index, call] of calls.entries()) {
      const refusal = refusals[index] as string;
      const room = Buffer.byteLength(refusal) + (isFull ? 0 : left);
      const slot = { head: heads[index] ?? '', refusal, member, room };
      // In sequence, so that a read sees earlier writes. The request itself charged the first call.
      const made = await reply(call, slot, { context, run: index === 0 ? run : chargeAndRun });
      isFull ||= made === refusal;
      if (!isFull) left = room - Buffer.byteLength(made);
      list.push(made);
    }
    return Array.isArray(json) ? `[${list.join(',')}]` : (list[0] as string);
  }

  return async (incoming: HttpRequest, target: Target, entry: RpcEntry): Promise<HttpResponse> => {
    if (incoming.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'JSON-RPC takes POST.', { allow: ['POST'] });
    }
    try {
      return writeAnswer(await replies(incoming, target, entry), 'json');
    } catch (thrown) {
      if (asSocialError(thrown).code !== 'INTERNAL') throw thrown;
      return { ...writeAnswer(JSON.stringify({ error: rpcError(toSocialError(thrown)) }), 'json'), status: 500 };
    }
  };
}

function oneCall(json: Json): Json {
  if (isRecord(json)) return json as Json;
  throw new SocialError('BAD_REQUEST', 'The body is one call, or a list of them.');
}
