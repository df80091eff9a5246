import { setImmediate as turn } from 'node:timers/promises';
import type { Target } from '@gantry/oauth';
import { isRecord, maxAnswerBytes, SocialError } from '@gantry/wire';
import { asSocialError, writeAnswer } from '../answer.ts';
import type { Authenticated } from '../authenticate.ts';
import { parseRpcBody } from '../body.ts';
import type { Answer, Incoming } from '../exchange.ts';
import type { Seen } from '../observe.ts';
import type { Admitted } from '../perform.ts';
import type { Json } from '../read-json.ts';
import type { Settings, SiteState } from '../settings.ts';
import { exactIds } from './exact-ids.ts';
import { createReply, headOf, type ReplyOptions, type ResultMember, refusalOf } from './reply.ts';
import { rpcError } from './rpc-error.ts';

const dialects: ReadonlyMap<string, ResultMember> = new Map([
  ['/social/rpc', 'data'],
  ['/rpc', 'result'],
]);

/** The dialect that is spoken at a path; absent for a path of another kind. */
export function rpcDialect(path: string): ResultMember | undefined {
  return dialects.get(path.endsWith('/') ? path.slice(0, -1) : path);
}

export interface RpcOptions extends ReplyOptions {
  readSite(): Promise<SiteState>;
  /** Verifies a request as a whole: its calls are all made on behalf of one requester. @throws OAuthError, SocialError */
  admit(
    incoming: Incoming,
    target: Target,
    admission: { readonly settings: Settings; readonly seen: Seen },
  ): Promise<Authenticated>;
  /** Counts one more call against the requester's rate. @throws SocialError RATE_LIMITED */
  charge(admitted: Admitted): void;
}

/** How a request came. */
export interface Way {
  readonly dialect: ResultMember;
  readonly seen: Seen;
}

/** Calls of one request. */
const maxCalls = 100;

/** How long calls go on before the event loop has its turn, which costs as much as a short call. */
const longestTurnMs = 2;

/**
 * Makes the function that answers JSON-RPC (contract §8), over the same handlers as REST.
 *
 * @throws SocialError and OAuthError from the function that it makes, for a request that is refused as a whole.
 */
export function createRpc({ readSite, admit, charge, perform, wideReads, explain, observe }: RpcOptions) {
  const reply = createReply({ perform, wideReads, explain, observe });
  const nextReply = createReply({
    wideReads,
    explain,
    observe,
    perform: async (ask, admitted) => {
      charge(admitted); // the first call was counted with the request
      return perform(ask, admitted);
    },
  });

  /** The answer as JSON: of at most `maxAnswerBytes`, with an answer to each call, in order. */
  async function replies(incoming: Incoming, target: Target, { dialect: member, seen }: Way): Promise<string> {
    const { settings } = await readSite();
    const admitted = { settings, requester: await admit(incoming, target, { settings, seen }) };
    const { json, text } = parseRpcBody(incoming);
    const calls: readonly Json[] = Array.isArray(json) ? json : [oneCall(json)];
    if (calls.length > maxCalls) throw new SocialError('BAD_REQUEST', `One request makes at most ${maxCalls} calls.`);
    const ids = exactIds(calls, text);
    const heads = calls.map((call, index) => headOf(call, ids[index]));
    const refusals = heads.map(refusalOf);
    // Each call can at least be refused, whatever those before it take.
    let left = maxAnswerBytes - refusals.reduce((sum, refusal) => sum + Buffer.byteLength(refusal) + 1, 1);
    const list: string[] = [];
    let isFull = false;
    let turnAtMs = performance.now();
    for (const [index, call] of calls.entries()) {
      if (performance.now() - turnAtMs > longestTurnMs) {
        await turn(); // a batch is many requests: others come between its calls
        turnAtMs = performance.now();
      }
      const refusal = refusals[index] as string;
      const room = Buffer.byteLength(refusal) + (isFull ? 0 : left);
      // One after the other: a read sees what a write before it wrote.
      const made = await (index === 0 ? reply : nextReply)(
        call,
        { head: heads[index] ?? '', refusal, member, room },
        admitted,
      );
      isFull ||= made === refusal;
      if (!isFull) left = room - Buffer.byteLength(made);
      list.push(made);
    }
    return Array.isArray(json) ? `[${list.join(',')}]` : (list[0] as string);
  }

  return async (incoming: Incoming, target: Target, way: Way): Promise<Answer> => {
    if (incoming.method !== 'POST') {
      throw new SocialError('METHOD_NOT_ALLOWED', 'JSON-RPC takes POST.', { allow: ['POST'] });
    }
    try {
      return writeAnswer(await replies(incoming, target, way), 'json');
    } catch (thrown) {
      if (asSocialError(thrown).code !== 'INTERNAL') throw thrown;
      return { ...writeAnswer(JSON.stringify({ error: rpcError(explain(thrown)) }), 'json'), status: 500 };
    }
  };
}

function oneCall(json: Json): Json {
  if (isRecord(json)) return json as Json;
  throw new SocialError('BAD_REQUEST', 'The body is one call, or a list of them.');
}
