import { SocialError } from '@gantry/wire';
import { type AppCallHandlers, createAppCalls } from './app-calls.ts';
import type { AppContext } from './app-context.ts';
import { type Abuse, exposeGuarded } from './guard.ts';
import { createHeartbeat } from './heartbeat.ts';
import { type ContainerMessage, limits, protocolVersion } from './protocol.ts';

/**
 * Why a connection ended: its owner closed it, the app speaks another version of the protocol, or the port was closed
 * because the app sent malformed messages or too many.
 */
export type CloseReason = 'closed' | 'version' | Abuse;

export interface AcceptHelloOptions extends AppCallHandlers {
  /** The frame, new for this load. May be in the page already or not yet. */
  readonly frame: HTMLIFrameElement;
  /** From `randomNonce`, used for this load only. */
  readonly nonce: string;
  /** What the app may send in the long run; `limits.messagesPerSecond` by default. */
  readonly messagesPerSecond?: number | undefined;
  /** The window to which the app posts its hello; the page's own by default. */
  readonly window?: Window;
  /** Read when the hello comes: until then the page may have changed. */
  readonly context: () => AppContext;
  /** The app said hello and holds its port. */
  onReady?(): void;
  /** Called once, when the connection ended for whatever reason. */
  onClose?(reason: CloseReason): void;
}

/** The container's end of one load of an app. */
export interface AppConnection {
  /** Resolves when the app holds its port; rejects with a SocialError if the connection ends before. */
  readonly ready: Promise<void>;
  /** What the app said with its hello that it can do. Empty before. */
  readonly capabilities: ReadonlySet<string>;
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
 * Waits for the hello of one load of an app and answers its requests from then on. Call it before the frame is put
 * into the page; call `close` when the frame leaves it or loads a second time.
 *
 * A hello counts once: from this frame's window, from the origin that its sandbox leaves it, with the nonce and one port.
 *
 * @see security rules 1, 2 and 3
 */
export function acceptHello(options: AcceptHelloOptions): AppConnection {
  const { frame, nonce, context, window: page = window, onReady, onClose } = options;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {}); // nobody has to wait for it
  const heartbeat = createHeartbeat((number) => post({ gantry: 'ping', number }));
  const calls = createAppCalls({ ...options, pong: heartbeat.pong }, (replies) => post({ gantry: 'replies', replies }));
  const capabilities = new Set<string>();
  let early: ContainerMessage[] | undefined = []; // said before the app said hello
  let port: MessagePort | undefined;
  let ended = false;

  function post(message: ContainerMessage): void {
    if (early) early.push(message);
    else if (message.gantry !== 'event' || capabilities.has('events')) port?.postMessage(message);
  }

  function onMessage({ source, origin, data, ports }: MessageEvent): void {
    if (source === null || source !== frame.contentWindow || origin !== originOf(frame)) return;
    if (data?.gantry !== 'hello' || data.nonce !== nonce || ports.length !== 1) return;
    page.removeEventListener('message', onMessage); // one hello per load
    const waiting = early ?? [];
    early = undefined;
    port = ports[0] as MessagePort;
    if (Array.isArray(data.versions) && data.versions.includes(protocolVersion)) start(port, data, waiting);
    else end('version', new SocialError('UNAVAILABLE', otherVersion));
  }

  function start(port: MessagePort, hello: { readonly capabilities?: unknown }, waiting: ContainerMessage[]): void {
    for (const word of wordsOf(hello.capabilities)) capabilities.add(word);
    exposeGuarded(calls.methods, port, {
      messagesPerSecond: options.messagesPerSecond,
      onAbuse: (abuse) => end(abuse, new SocialError('RATE_LIMITED', 'The container closed the port of this app.')),
    });
    post({
      gantry: 'welcome',
      version: protocolVersion,
      capabilities: [...options.actions.keys()],
      context: context(),
    });
    waiting.forEach(post);
    ready.resolve();
    onReady?.();
  }

  function end(reason: CloseReason, error: SocialError): void {
    if (ended) return;
    ended = true;
    page.removeEventListener('message', onMessage);
    post({ gantry: 'closed', error: error.toWire() });
    port?.close();
    port = undefined;
    calls.stop(error);
    heartbeat.end(error);
    ready.reject(error);
    onClose?.(reason);
  }

  page.addEventListener('message', onMessage);
  return {
    ready: ready.promise,
    capabilities,
    ping: heartbeat.ping,
    emit: (name, data) => post({ gantry: 'event', name, data }),
    close: () => end('closed', new SocialError('APP_RELOADED', 'The document that asked has gone.')),
  };
}

/** Origin that the frame's document must have, as `MessageEvent.origin` writes it: `null` for an opaque one. */
function originOf(frame: HTMLIFrameElement): string {
  const opaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  return opaque ? 'null' : new URL(frame.src).origin;
}

const otherVersion = `The app does not speak version ${protocolVersion} of the protocol, as the page does.`;

/** What a hello lists, within limits; nothing for anything else. */
function wordsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, limits.capabilities)
    .filter((word) => typeof word === 'string' && word.length <= limits.capabilityLength);
}
