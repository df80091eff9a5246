import { SocialError, type VersionMismatch } from '@gantry/wire';
import { createAllowance } from './allowance.ts';
import { type AppCallHandlers, createAppCalls } from './app-calls.ts';
import type { AppContext } from './app-context.ts';
import type { Greeting, ReceivedHello } from './expect-hello.ts';
import { type Abuse, exposeGuarded } from './guard.ts';
import { createHeartbeat } from './heartbeat.ts';
import { type ContainerMessage, limits } from './protocol.ts';
import { commonVersion, mismatchOf, mismatchText, protocolVersions, readRelease, readVersions } from './versions.ts';

/**
 * Why a connection ended: its owner closed it, the app speaks other versions of the protocol, or the port was closed
 * because the app sent malformed messages or too many.
 */
export type CloseReason = 'closed' | 'version' | Abuse;

export interface AcceptHelloOptions extends AppCallHandlers {
  /** From `expectHello`, of this load. */
  readonly greeting: Greeting;
  /** What the app may send in the long run; `limits.messagesPerSecond` by default. */
  readonly messagesPerSecond?: number | undefined;
  /** Read when the hello comes: until then the page may have changed. */
  readonly context: () => AppContext;
  /** The app said hello and holds its port. */
  onReady?(): void;
  /** Called once, when the connection ended for whatever reason. With the reason `version` it says which side needs what. */
  onClose?(reason: CloseReason, mismatch?: VersionMismatch): void;
}

/** The container's end of one load of an app. */
export interface AppConnection {
  /** Resolves when the app holds its port; rejects with a SocialError if the connection ends before. */
  readonly ready: Promise<void>;
  /** What the app said with its hello that it can do. Empty before. */
  readonly capabilities: ReadonlySet<string>;
  /** Release of its SDK, as the app says with its hello; undefined before. */
  readonly sdk: string | undefined;
  /** Tells the app of something. What is said before `ready` waits for it; after the end nobody hears. */
  emit(name: string, data: unknown): void;
  /**
   * Milliseconds until the app answered; asked before `ready`, it waits for that first. Stays open while the document is
   * busy, or has gone without a `load` that would tell; rejects with a SocialError when the connection ends.
   */
  ping(): Promise<number>;
  /** Aborts all that the app asked for, tells it, and closes the port. Does nothing the second time. */
  close(): void;
}

/**
 * Takes the hello of one load of an app and answers its requests from then on. Call `close` when the frame leaves the page
 * or loads a second time.
 *
 * @see security rule 3
 */
export function acceptHello(options: AcceptHelloOptions): AppConnection {
  const { greeting, context, onReady, onClose } = options;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {}); // nobody has to wait for it
  const heartbeat = createHeartbeat((number) => post({ gantry: 'ping', number }));
  const calls = createAppCalls({ ...options, pong: heartbeat.pong }, (replies) => post({ gantry: 'replies', replies }));
  const capabilities = new Set<string>();
  let early: ContainerMessage[] | undefined = []; // said before the app said hello
  let port: MessagePort | undefined;
  let sdk: string | undefined;
  let ended = false;

  function post(message: ContainerMessage): void {
    if (early) early.push(message);
    else if (message.gantry !== 'event' || capabilities.has('events')) port?.postMessage(message);
  }

  function hear({ port: offered, data }: ReceivedHello): void {
    const waiting = early ?? [];
    early = undefined;
    port = offered;
    const theirs = readVersions(data.versions);
    const version = theirs && commonVersion(protocolVersions, theirs);
    if (version !== undefined) start(port, data, version, waiting);
    else if (theirs) refuse(mismatchOf(theirs, data));
    else end('malformed', noVersions);
  }

  function start(
    port: MessagePort,
    hello: { readonly capabilities?: unknown; readonly sdk?: unknown },
    version: number,
    waiting: ContainerMessage[],
  ): void {
    for (const word of wordsOf(hello.capabilities)) capabilities.add(word);
    sdk = readRelease(hello.sdk);
    exposeGuarded(calls.methods, port, {
      messagesPerSecond: options.messagesPerSecond,
      onAbuse: (abuse) => end(abuse, tooMuch),
    });
    post({ gantry: 'welcome', version, capabilities: [...options.actions.keys()], context: context() });
    waiting.forEach(post);
    ready.resolve();
    onReady?.();
  }

  function refuse(mismatch: VersionMismatch): void {
    end('version', new SocialError('VERSION_MISMATCH', mismatchText(mismatch)), mismatch);
  }

  function end(reason: CloseReason, error: SocialError, mismatch?: VersionMismatch): void {
    if (ended) return;
    ended = true;
    greeting.end();
    const told = error.toWire();
    post({ gantry: 'closed', error: mismatch ? { ...told, data: { ...told.data, versions: mismatch } } : told });
    port?.close();
    port = undefined;
    calls.stop(error);
    heartbeat.end(error);
    ready.reject(error);
    onClose?.(reason, mismatch);
  }

  const spend = createAllowance({
    perSecond: options.messagesPerSecond ?? limits.messagesPerSecond,
    now: () => performance.now(),
  });
  greeting.take(hear, (strays) => {
    if (spend(strays) > 1) end('flood', tooMuch);
  });
  return {
    ready: ready.promise,
    capabilities,
    get sdk() {
      return sdk;
    },
    ping: heartbeat.ping,
    emit: (name, data) => post({ gantry: 'event', name, data }),
    close: () => end('closed', new SocialError('APP_RELOADED', 'The document that asked has gone.')),
  };
}

const tooMuch = new SocialError('RATE_LIMITED', 'The container closed the port of this app.');
const noVersions = new SocialError('BAD_REQUEST', 'The hello names no versions of the protocol.');

/** What a hello lists, within limits; nothing for anything else. */
function wordsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, limits.capabilities)
    .filter((word) => typeof word === 'string' && word.length <= limits.capabilityLength);
}
