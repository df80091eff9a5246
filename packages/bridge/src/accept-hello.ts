import { SocialError, type VersionMismatch } from '@gantry/wire';
import { createTokenBucket } from '@gantry/wire/runtime';
import { type AppCallHandlers, createAppCalls } from './app-calls.ts';
import type { AppContext } from './app-context.ts';
import type { Greeting, ReceivedHello } from './expect-hello.ts';
import { type Abuse, exposeGuarded } from './guard.ts';
import { createHeartbeat } from './heartbeat.ts';
import { type ContainerMessage, limits, rateOf } from './protocol.ts';
import { commonVersion, mismatchOf, mismatchText, protocolVersions, readRelease, readVersions } from './versions.ts';

/** Reason for the end of a connection: its owner, no common version, or abuse by the app. */
export type CloseReason = 'closed' | 'version' | Abuse;

export interface AcceptHelloOptions extends AppCallHandlers {
  /** From `expectHello`, of this load. */
  readonly greeting: Greeting;
  /** Messages per second in the long run; `limits.messagesPerSecond` by default. */
  readonly messagesPerSecond?: number | undefined;
  /** Returns the context at the time of the hello: the page may change before. */
  readonly context: () => AppContext;
  /** Called when the app has said hello. */
  onReady?(): void;
  /** Called once, when the connection has ended; with `mismatch` for the reason `version`. */
  onClose?(reason: CloseReason, mismatch?: VersionMismatch): void;
}

/** The container's end of one load of an app. */
export interface AppConnection {
  /** Capabilities from the app's hello. Empty before. */
  readonly capabilities: ReadonlySet<string>;
  /** Release of the SDK, from the app's hello. `undefined` before. */
  readonly sdk: string | undefined;
  /** Sends an event to the app. Events before the hello are queued, those after the end dropped. */
  emit(name: string, data: unknown): void;
  /**
   * Resolves with the milliseconds until the app's pong; before the hello, it is queued. Stays
   * pending while the document is busy or gone; rejects with a SocialError when the connection
   * ends.
   */
  ping(): Promise<number>;
  /** Aborts open requests, notifies the app and closes the port. Idempotent. */
  close(): void;
}

/**
 * Accepts the hello of one load of an app and handles its requests from then on. Call `close` when
 * the frame leaves the page or loads a second time.
 *
 * @see security rule 3
 */
export function acceptHello(options: AcceptHelloOptions): AppConnection {
  const { greeting, context, onReady, onClose } = options;
  const heartbeat = createHeartbeat((number) => post({ gantry: 'ping', number }));
  const calls = createAppCalls({ ...options, pong: heartbeat.pong }, post);
  const capabilities = new Set<string>();
  let early: ContainerMessage[] | undefined = []; // queued until the hello
  let port: MessagePort | undefined;
  let sdk: string | undefined;
  let ended = false;

  function post(message: ContainerMessage): void {
    if (early) early.push(message);
    else if (message.gantry !== 'event' || capabilities.has('events')) port?.postMessage(message);
  }

  function receive({ port: offered, data }: ReceivedHello): void {
    const waiting = early ?? [];
    early = undefined;
    port = offered;
    const theirs = readVersions(data.versions);
    const version = theirs && commonVersion(protocolVersions, theirs);
    if (version !== undefined) start(port, data, version, waiting);
    else if (theirs) {
      const mismatch = mismatchOf(theirs, data);
      end('version', new SocialError('VERSION_MISMATCH', mismatchText(mismatch)), mismatch);
    } else end('malformed', noVersions());
  }

  function start(port: MessagePort, hello: ReceivedHello['data'], version: number, waiting: ContainerMessage[]): void {
    for (const word of wordsOf(hello.capabilities)) capabilities.add(word);
    sdk = readRelease(hello.sdk);
    exposeGuarded(calls.methods, port, {
      messagesPerSecond: options.messagesPerSecond,
      onAbuse: (abuse) => end(abuse, tooMuch()),
    });
    const preloads = capabilities.has('leases') ? calls.openLeases() : [];
    post({
      ...{ gantry: 'welcome', version, capabilities: [...options.actions.keys()], context: context() },
      ...(preloads.length > 0 && { preloads }),
    });
    waiting.forEach(post);
    onReady?.();
  }

  function end(reason: CloseReason, error: SocialError, mismatch?: VersionMismatch): void {
    if (ended) return;
    ended = true;
    greeting.end();
    const wire = error.toWire();
    post({ gantry: 'closed', error: mismatch ? { ...wire, data: { ...wire.data, versions: mismatch } } : wire });
    port?.close();
    port = undefined;
    calls.stop(error);
    heartbeat.end(error);
    onClose?.(reason, mismatch);
  }

  const spend = createTokenBucket({
    ...rateOf(options.messagesPerSecond ?? limits.messagesPerSecond),
    now: () => performance.now(),
  });
  greeting.take(receive, (strays) => {
    if (spend(strays) < 0) end('flood', tooMuch());
  });
  return {
    capabilities,
    get sdk() {
      return sdk;
    },
    ping: heartbeat.ping,
    emit: (name, data) => post({ gantry: 'event', name, data }),
    close: () => end('closed', new SocialError('APP_RELOADED', 'The document of this request was unloaded.')),
  };
}

// Made when they are needed: browsers take a stack for each.
const tooMuch = () => new SocialError('RATE_LIMITED', 'The container closed the port of this app.');
const noVersions = () => new SocialError('BAD_REQUEST', 'The hello names no versions of the protocol.');

/** Returns the words that a hello lists, within limits; none if it is no list. */
function wordsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, limits.capabilities)
    .filter((word) => typeof word === 'string' && word.length <= limits.capabilityLength);
}
