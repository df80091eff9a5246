import { createAllowance } from './allowance.ts';
import { type Failure, failure, failureOf } from './failure.ts';
import { copyPlainData, isList, isPlainObject } from './plain-data.ts';
import { limits } from './protocol.ts';

export type Methods = ReadonlyMap<string, (...args: never[]) => unknown>;

export type Abuse = 'malformed' | 'flood';

export interface GuardOptions {
  /** Called once, when the port sent too much rubbish or simply too much. Nothing is heard from then on. */
  onAbuse(abuse: Abuse): void;
  /** What it may send in the long run; `limits.messagesPerSecond` by default. */
  messagesPerSecond?: number | undefined;
  /** Milliseconds since whenever. */
  now?: () => number;
}

/** A message that was checked. Everything in it is a copy. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly size: number;
}

/** A message with an id to which the reason can be answered: its arguments are too large, or not plain data. */
interface Refusal {
  readonly id: string;
  readonly failure: Failure;
  readonly size: number;
}

/** No honest sender makes it: a message that holds more than a call, which is as large as the app likes and is measured nowhere. */
type Surplus = 'surplus';

/**
 * Lets an app that holds the other end of `port` call `methods` by name, as Comlink's `wrap` does, and do nothing else.
 *
 * Comlink's own `expose` walks any path and obeys any verb that a message names. So this end speaks Comlink's protocol
 * without it: a method is looked up in a Map, and its arguments are a copy of what was checked.
 *
 * @see security rule 1, docs/decisions/0003-comlink-behind-a-guard.md
 */
export function exposeGuarded(methods: Methods, port: MessagePort, options: GuardOptions): void {
  const { onAbuse, messagesPerSecond = limits.messagesPerSecond, now = () => performance.now() } = options;
  const spend = createAllowance({ perSecond: messagesPerSecond, now });
  const spendReading = createAllowance({ perSecond: limits.readingMsPerSecond, now });
  let deaf = false;
  let drops = 0;

  function receive(event: MessageEvent, startMs: number): void {
    const checked = check(event, methods);
    if (checked === 'surplus') {
      stopListening('malformed');
      return;
    }
    const share = spend(1 + Math.floor((checked?.size ?? 0) / limits.size));
    if (share > 2) {
      stopListening('flood');
    } else if (!checked) {
      drop(startMs);
    } else if (share > 1) {
      answer(checked.id, failure('RATE_LIMITED', 'This app sends too many messages.', { retryAfter: 1 }));
    } else if ('failure' in checked) {
      answer(checked.id, checked.failure);
      drop(startMs);
    } else {
      run(checked);
    }
  }
  /** Counts the time that the page spends for the port, whatever is in its messages. */
  function timed(work: (startMs: number) => void): void {
    if (deaf) return;
    const startMs = now();
    work(startMs);
    // One long reading may be a pause of the machine.
    const share = spendReading(Math.min(now() - startMs, limits.longestReadingMs));
    if (share > 1 && !deaf) stopListening('flood');
  }
  /** Counts the time that it took too: of what is dropped nothing else is measured. */
  function drop(startMs: number): void {
    drops += 1 + Math.floor(now() - startMs);
    if (drops >= limits.drops) stopListening('malformed');
  }
  function stopListening(abuse: Abuse): void {
    deaf = true;
    onAbuse(abuse);
  }
  function run({ id, name, args }: Call): void {
    const fail = (cause: unknown) => answer(id, failureOf(cause));
    try {
      const value = (methods.get(name) as (...args: readonly unknown[]) => unknown)(...args);
      if (value instanceof Promise) value.then((late) => timed(() => answer(id, late))).catch(fail);
      else answer(id, value);
    } catch (cause) {
      fail(cause); // or what cannot be cloned
    }
  }
  function answer(id: string, value: unknown): void {
    port.postMessage({ id, type: 'RAW', value });
  }

  port.addEventListener('message', (event) => timed((startMs) => receive(event, startMs)));
  port.addEventListener('messageerror', () => timed(drop));
  port.start();
}

/** Undefined for a malformed message. Never throws: one that cannot even be read is malformed. */
function check(event: MessageEvent, methods: Methods): Call | Refusal | Surplus | undefined {
  try {
    if (event.ports.length > 0) return undefined; // before `data`, which some browsers make only when it is asked for
    const call = readCall(event.data, methods);
    if (!call || call === 'surplus') return call;
    const { size, ...copied } = copyPlainData(call.args, limits);
    if ('refusal' in copied) return { id: call.id, failure: failureOf(copied.refusal), size };
    return { ...call, args: copied.copy as unknown[], size };
  } catch {
    return undefined;
  }
}

/** The parts of Comlink's APPLY message, with its arguments as they came; undefined for anything else. */
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

/** True for an object literal with more members than `most`, which are known to be there. */
function hasMore(object: object, most: number): boolean {
  let count = 0;
  for (const _ in object) if (++count > most) return true;
  return false;
}

function isRaw(argument: unknown): argument is { value: unknown } {
  return isPlainObject(argument) && argument.type === 'RAW';
}
