import { isRecord, type Observed, type ObservedAt, type Reply, type ReplyMeta, type WireError } from '@gantry/wire';

/** An observation of a page's gadgets, with its time. */
export type Sighting = Observed & ObservedAt & { readonly atMs: number };

/** Reads the messages of one port, each way in its order. */
export interface PortReader {
  in(message: unknown, atMs: number): readonly Sighting[];
  out(message: unknown, atMs: number): readonly Sighting[];
}

/** A message of the app without a reply. */
interface Asked {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly atMs: number;
}

/** An open call of the app. */
interface Open {
  readonly call: number;
  readonly atMs: number;
  readonly isWatch: boolean;
  isReplied: boolean;
}

const mostOpen = 4_000; // twice as many as a page lets one port have
const mostActionArgs = 8;
const releaseForm = /^\d{1,4}\.\d{1,4}\.\d{1,4}(-(alpha|beta|rc)\.\d{1,4})?$/;
const givenUp: WireError = { code: 499, message: 'The call was given up.', data: { reason: 'ABORTED' } };

/** @see docs/bridge-protocol.md */
export function createPortReader(options: {
  readonly hello: { readonly sdk?: unknown; readonly capabilities?: unknown };
  readonly at: ObservedAt;
  readonly nextCall: () => number;
}): PortReader {
  const { hello, at, nextCall } = options;
  const requests = new Map<unknown, Asked>();
  const open = new Map<unknown, Open>();
  let actions: readonly unknown[] = [];

  const seen = (atMs: number, ...observed: readonly Observed[]): readonly Sighting[] =>
    observed.map((one) => ({ ...one, ...at, atMs }));

  function settle(item: unknown, atMs: number): readonly Sighting[] {
    if (!Array.isArray(item)) return [];
    const one = open.get(item[0]);
    if (!one) return [];
    const content = contentOf(replyOf(item));
    if (one.isReplied) return seen(atMs, { kind: 'push', call: one.call, ...content });
    one.isReplied = true;
    if (!one.isWatch) open.delete(item[0]);
    return seen(atMs, { kind: 'reply', call: one.call, ...content, tookMs: atMs - one.atMs });
  }

  function giveUp(id: unknown, atMs: number): readonly Sighting[] {
    const one = open.get(id);
    open.delete(id);
    if (!one || one.isReplied) return [];
    return seen(atMs, { kind: 'reply', call: one.call, ...contentOf({ error: givenUp }), tookMs: atMs - one.atMs });
  }

  function begin({ args, atMs }: Asked, replies: readonly unknown[]): readonly Sighting[] {
    const batch = parsed(String(args[0]));
    if (!Array.isArray(batch) || !batch.every((item) => Array.isArray(item))) return [];
    const ready = new Map(replies.map((reply) => [Array.isArray(reply) ? reply[0] : undefined, reply]));
    return batch.flatMap((item: readonly unknown[]) => {
      const [id, operation, params, extra] = item;
      const call = nextCall();
      if (open.size < mostOpen) open.set(id, { call, atMs, isWatch: extra === true, isReplied: false });
      const sent = seen(atMs, { kind: 'call', call, operation: String(operation), params: parsed(String(params)) });
      return ready.has(id) ? [...sent, ...settle(ready.get(id), atMs)] : sent;
    });
  }

  function act({ args, atMs }: Asked, value: unknown): readonly Sighting[] {
    const [name, params] = args;
    if (typeof name !== 'string' || name === 'left' || !actions.includes(name) || !Array.isArray(params)) return [];
    const error = isRecord(value) && 'error' in value ? (value.error as WireError) : undefined;
    return seen(atMs, { kind: 'action', name, params: params.slice(0, mostActionArgs), ...(error && { error }) });
  }

  function answer(id: unknown, value: unknown): readonly Sighting[] {
    const one = requests.get(id);
    requests.delete(id);
    if (one?.name === 'request' && Array.isArray(value)) return begin(one, value);
    if (one?.name === 'act') return act(one, value);
    return [];
  }

  return {
    in(message, atMs) {
      if (!isRecord(message) || !Array.isArray(message.args)) return [];
      const { id, name, args } = message;
      const ids: unknown = args[0];
      if (name === 'cancel' && Array.isArray(ids)) return ids.flatMap((one) => giveUp(one, atMs));
      if (requests.size < mostOpen) requests.set(id, { name: String(name), args, atMs });
      return [];
    },
    out(message, atMs) {
      if (!isRecord(message)) return [];
      const { id, value, name, data, replies, context, capabilities } = message;
      switch (message.gantry) {
        case undefined:
          return answer(id, value);
        case 'welcome':
          actions = Array.isArray(capabilities) ? capabilities : [];
          return seen(atMs, { kind: 'handshake', ...wordsOf(hello) }, { kind: 'context', context });
        case 'replies':
          return Array.isArray(replies) ? replies.flatMap((item) => settle(item, atMs)) : [];
        case 'event':
          if (name === 'context') return seen(atMs, { kind: 'context', context: data });
          return seen(atMs, { kind: 'event', name: String(name), data });
        case 'closed':
          return [...open.keys()].flatMap((one) => giveUp(one, atMs));
        default:
          return [];
      }
    },
  };
}

/** Reads a hello as the page does: release, and capabilities within their limits. */
function wordsOf({ sdk, capabilities }: { readonly sdk?: unknown; readonly capabilities?: unknown }) {
  const words = Array.isArray(capabilities) ? capabilities.slice(0, 100) : [];
  const heard = words.filter((word): word is string => typeof word === 'string' && word.length <= 64);
  return { ...(typeof sdk === 'string' && releaseForm.test(sdk) && { sdk }), capabilities: [...new Set(heard)] };
}

/** Reads a flat reply. @see packages/bridge/src/reply-item.ts */
function replyOf([, error, ok, meta, source]: readonly unknown[]): Reply {
  if (error) return { error: error as WireError };
  if (isRecord(meta)) return { ok, meta: meta as unknown as ReplyMeta };
  if (typeof meta !== 'number' || !source) return { ok };
  return { ok, meta: { ageMs: meta, source: source as ReplyMeta['source'] } };
}

/** Result or error of a reply, and its size, as `observe` reports them. */
function contentOf(reply: Reply): { readonly ok?: unknown; readonly error?: WireError; readonly size: number } {
  const size = JSON.stringify(reply).length;
  return 'error' in reply ? { error: reply.error, size } : { ok: reply.ok, size };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the page refuses it
  }
}
