import { createTokenBucket } from '@gantry/wire/runtime';
import { type Failure, failure, failureOf } from './failure.ts';
import { copyPlainData, isList, isPlainObject } from './plain-data.ts';
import { limits, rateOf } from './protocol.ts';

export type Methods = ReadonlyMap<string, (...args: never[]) => unknown>;

export type Abuse = 'malformed' | 'flood';

export interface GuardOptions {
  /** Called once, after too many malformed messages or messages at all. Then all are ignored. */
  onAbuse(abuse: Abuse): void;
  /** Messages per second in the long run; `limits.messagesPerSecond` by default. */
  messagesPerSecond?: number | undefined;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** A checked message. Everything in it is a copy. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly size: number;
}

/** A message whose arguments are too large or not plain data, with an id to reply to. */
interface Refusal {
  readonly id: string;
  readonly failure: Failure;
  readonly size: number;
}

/** A message with more than a call in it, whose size is not bounded. No SDK sends any. */
type Surplus = 'surplus';

/**
 * Lets the app at the other end of `port` call `methods` by name, in Comlink's message format, and
 * do nothing else.
 *
 * Comlink's own `expose` walks any path and runs any verb that a message names. This one looks the
 * method up in a Map and passes a checked copy of the arguments.
 *
 * @see security rule 1, docs/decisions/0003-comlink-behind-a-guard.md
 */
export function exposeGuarded(methods: Methods, port: MessagePort, options: GuardOptions): void {
  const { onAbuse, messagesPerSecond = limits.messagesPerSecond, now = () => performance.now() } = options;
  const rate = rateOf(messagesPerSecond);
  const spend = createTokenBucket({ ...rate, now });
  const spendReading = createTokenBucket({ ...rateOf(limits.readingMsPerSecond), now });
  let isStopped = false;
  let drops = 0;

  function receive(event: MessageEvent, startMs: number): void {
    const checked = check(event, methods);
    if (checked === 'surplus') {
      stopListening('malformed');
      return;
    }
    const left = spend(1 + Math.floor((checked?.size ?? 0) / limits.size));
    if (left < -rate.burst) {
      stopListening('flood');
    } else if (!checked) {
      drop(startMs);
    } else if (left < 0) {
      answer(checked.id, failure('RATE_LIMITED', 'This app sends too many messages.', { retryAfter: 1 }));
    } else if ('failure' in checked) {
      answer(checked.id, checked.failure);
      drop(startMs);
    } else {
      run(checked);
    }
  }
  /** Counts the time that the page spends on the port. */
  function timed(work: (startMs: number) => void): void {
    if (isStopped) return;
    const startMs = now();
    work(startMs);
    // Capped, since one long time may be a pause of the machine.
    const left = spendReading(Math.min(now() - startMs, limits.longestReadingMs));
    if (left < 0 && !isStopped) stopListening('flood');
  }
  /** Drops a message, counting its time too, since its size was not measured. */
  function drop(startMs: number): void {
    drops += 1 + Math.floor(now() - startMs);
    if (drops >= limits.drops) stopListening('malformed');
  }
  function stopListening(abuse: Abuse): void {
    isStopped = true;
    onAbuse(abuse);
  }
  function run({ id, name, args }: Call): void {
    const fail = (cause: unknown) => answer(id, failureOf(cause));
    try {
      const value = (methods.get(name) as (...args: readonly unknown[]) => unknown)(...args);
      if (value instanceof Promise) value.then((late) => timed(() => answer(id, late))).catch(fail);
      else answer(id, value);
    } catch (cause) {
      fail(cause); // the value may not be cloneable
    }
  }
  function answer(id: string, value: unknown): void {
    port.postMessage({ id, type: 'RAW', value });
  }

  port.addEventListener('message', (event) => timed((startMs) => receive(event, startMs)));
  port.addEventListener('messageerror', () => timed(drop));
  port.start();
}

/** Checks a message. Returns `undefined` if it is malformed or cannot be read. Never throws. */
function check(event: MessageEvent, methods: Methods): Call | Refusal | Surplus | undefined {
  try {
    if (event.ports.length > 0) return undefined; // before `data`, which some browsers deserialize on access
    const call = readCall(event.data, methods);
    if (!call || call === 'surplus') return call;
    const { size, ...copied } = copyPlainData(call.args, limits);
    if ('refusal' in copied) return { id: call.id, failure: failureOf(copied.refusal), size };
    return { ...call, args: copied.copy as unknown[], size };
  } catch {
    return undefined;
  }
}

/** Returns the parts of Comlink's APPLY message, arguments unchecked; `undefined` for any other. */
function readCall(data: unknown, methods: Methods): Omit<Call, 'size'> | Surplus | undefined {
  if (!isPlainObject(data)) return undefined;
  const { id, type, path, argumentList } = data;
  if (typeof id !== 'string' || id === '' || id.length > limits.idLength || type !== 'APPLY') return undefined;
  if (!Array.isArray(path) || path.length !== 1 || !Array.isArray(argumentList)) return undefined;
  const name: unknown = path[0];
  if (typeof name !== 'string' || !methods.has(name)) return undefined;
  if (argumentList.length > limits.args) return undefined;
  if (hasMore(data, 4) || !isList(path) || !isList(argumentList)) return 'surplus';
  const args: unknown[] = [];
  for (const argument of argumentList as readonly unknown[]) {
    if (!isRaw(argument)) return undefined;
    if (hasMore(argument, 2)) return 'surplus';
    args.push(argument.value);
  }
  return { id, name, args };
}

function hasMore(object: object, most: number): boolean {
  let count = 0;
  for (const _ in object) if (++count > most) return true;
  return false;
}

function isRaw(argument: unknown): argument is { value: unknown } {
  return isPlainObject(argument) && argument.type === 'RAW';
}
