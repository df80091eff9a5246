import { expectHello, type Greeting, helloFragment, randomNonce } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Gadget } from '../gadget.ts';

export type DocumentAddress = Pick<Gadget, 'document' | 'sandbox'>;

/** A document that loads: an iframe and a nonce, made together and ended together. */
export interface AppDocument {
  /** Is inserted into the page once, and never moved or loaded again. */
  readonly frame: HTMLIFrameElement;
  readonly greeting: Greeting;
  readonly address: DocumentAddress;
  /** Number of times that it has loaded. */
  readonly loads: number;
  onLoad?: (() => void) | undefined;
  /**
   * The page's `Content-Security-Policy` refused it, or something of its origin: the page learns no
   * more of another origin, where an app that goes elsewhere is refused in the same words.
   */
  readonly blocked?: 'document' | 'origin';
  /** Called when the page's policy refuses this document. */
  onBlocked?: (() => void) | undefined;
  /** Stops listening. The element removes the frame. */
  end(): void;
}

/**
 * @param options.title Accessible name of the frame.
 * @throws SocialError FORBIDDEN as `createFrame`.
 */
export function openDocument(
  address: DocumentAddress,
  { title, clock }: { readonly title: string; readonly clock: Pick<Clock, 'bytes'> },
): AppDocument {
  const nonce = randomNonce(clock);
  const frame = createFrame({ ...address, title, nonce });
  const greeting = expectHello({ frame, nonce });
  const { href, origin } = new URL(address.document);
  // On the page, for all of its frames.
  function onViolation({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    if (effectiveDirective !== 'frame-src') return;
    if (blockedURI === origin) opened.blocked ??= 'origin';
    if (blockedURI !== href) return;
    opened.blocked = 'document';
    opened.onBlocked?.();
  }
  const page = globalThis.document;
  page.addEventListener('securitypolicyviolation', onViolation);
  const opened: { -readonly [Name in keyof AppDocument]: AppDocument[Name] } = {
    ...{ frame, greeting, address, loads: 0 },
    end() {
      greeting.end();
      page.removeEventListener('securitypolicyviolation', onViolation);
    },
  };
  frame.addEventListener('load', () => {
    opened.loads += 1;
    opened.onLoad?.();
  });
  return opened;
}

/**
 * Makes the iframe, closed by default, with the nonce for the document's hello.
 *
 * @throws SocialError FORBIDDEN if the sandbox does not keep the document apart from this page
 * (security rule 4).
 */
export function createFrame(
  options: DocumentAddress & { readonly title: string; readonly nonce: string },
): HTMLIFrameElement {
  const { title, nonce } = options;
  const sandbox = options.sandbox.toLowerCase(); // as browsers read it
  const { href, origin, protocol } = new URL(options.document);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new SocialError('FORBIDDEN', 'The document of this app has no web address.');
  }
  const keepsOrigin = sandbox.split(/\s+/).includes('allow-same-origin');
  if (keepsOrigin && origin === location.origin) {
    throw new SocialError('FORBIDDEN', 'This app asks for the origin of the page itself, so it is not shown.');
  }
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.part.add('frame');
  frame.loading = 'eager';
  frame.allow = '';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', sandbox);
  frame.src = href + helloFragment({ nonce, origin: location.origin });
  return frame;
}
