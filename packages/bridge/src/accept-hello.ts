import { SocialError } from '@gantry/wire';
import { type AppCallHandlers, createAppCalls } from './app-calls.ts';
import type { AppContext } from './app-context.ts';
import { type Abuse, exposeGuarded } from './guard.ts';
import { type ContainerMessage, protocolVersion } from './protocol.ts';

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
  /** Tells the app of something. Before `ready` and after the end it is not heard. */
  emit(name: string, data: unknown): void;
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
  const calls = createAppCalls(options, (replies) => post({ gantry: 'replies', replies }));
  let port: MessagePort | undefined;
  let ended = false;

  function post(message: ContainerMessage): void {
    port?.postMessage(message);
  }

  function onMessage({ source, origin, data, ports }: MessageEvent): void {
    if (source === null || source !== frame.contentWindow || origin !== originOf(frame)) return;
    if (data?.gantry !== 'hello' || data.nonce !== nonce || ports.length !== 1) return;
    page.removeEventListener('message', onMessage); // one hello per load
    port = ports[0] as MessagePort;
    if (data.version === protocolVersion) start(port);
    else end('version', versionError(data.version));
  }

  function start(port: MessagePort): void {
    exposeGuarded(calls.methods, port, {
      onAbuse: (abuse) => end(abuse, new SocialError('RATE_LIMITED', 'The container closed the port of this app.')),
    });
    post({ gantry: 'welcome', version: protocolVersion, context: context() });
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
    ready.reject(error);
    onClose?.(reason);
  }

  page.addEventListener('message', onMessage);
  return {
    ready: ready.promise,
    emit: (name, data) => post({ gantry: 'event', name, data }),
    close: () => end('closed', new SocialError('APP_RELOADED', 'The document that asked has gone.')),
  };
}

/** Origin that the frame's document must have, as `MessageEvent.origin` writes it: `null` for an opaque one. */
function originOf(frame: HTMLIFrameElement): string {
  const opaque = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin');
  return opaque ? 'null' : new URL(frame.src).origin;
}

function versionError(version: unknown): SocialError {
  const theirs = typeof version === 'number' ? version : 'an unknown one';
  return new SocialError(
    'UNAVAILABLE',
    `The app speaks version ${theirs} of the protocol, the page ${protocolVersion}.`,
  );
}
