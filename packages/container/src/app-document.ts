import { expectHello, type Greeting, helloFragment, randomNonce } from '@gantry/bridge';
import { type Clock, SocialError } from '@gantry/wire';

/** Where an app's document is, and what it may do. */
export interface DocumentAddress {
  /** Absolute URL. */
  readonly document: string;
  /** The frame's `sandbox` attribute. */
  readonly sandbox: string;
}

/** A document of an app that loads: an iframe and a nonce, made together and ended together. It is told nothing yet. */
export interface AppDocument {
  /** To be put into the page once; it is never moved or loaded again. */
  readonly frame: HTMLIFrameElement;
  readonly greeting: Greeting;
  readonly address: DocumentAddress;
  /** How often it has loaded. */
  readonly loads: number;
  /** Called each time that it has. */
  onLoad?: (() => void) | undefined;
  /** The page's `Content-Security-Policy` refused it: nothing of it will come. */
  readonly isBlocked: boolean;
  /** Called when that happens. */
  onBlocked?: (() => void) | undefined;
  /** Listens no more. The frame is taken out of the page by those who put it there. */
  end(): void;
}

/**
 * Makes the document of one load.
 *
 * @param options.title Accessible name of the frame.
 * @throws SocialError FORBIDDEN for a document that its sandbox would not keep apart from this page (security rule 4).
 */
export function openDocument(
  address: DocumentAddress,
  { title, clock }: { readonly title: string; readonly clock: Pick<Clock, 'bytes'> },
): AppDocument {
  const nonce = randomNonce(clock);
  const frame = createFrame({ ...address, title, nonce });
  const greeting = expectHello({ frame, nonce });
  const { origin } = new URL(address.document);
  let loads = 0;
  let isBlocked = false;
  // The page hears of it, not the frame. A later violation is the app's own attempt to go elsewhere.
  function onViolation({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    if (loads > 0 || effectiveDirective !== 'frame-src' || !blockedURI.startsWith(origin)) return;
    isBlocked = true;
    opened.onBlocked?.();
  }
  const page = globalThis.document;
  page.addEventListener('securitypolicyviolation', onViolation);
  const opened: AppDocument = {
    frame,
    greeting,
    address,
    get loads() {
      return loads;
    },
    get isBlocked() {
      return isBlocked;
    },
    end() {
      greeting.end();
      page.removeEventListener('securitypolicyviolation', onViolation);
    },
  };
  frame.addEventListener('load', () => {
    loads += 1;
    opened.onLoad?.();
  });
  return opened;
}

/**
 * The iframe of a document: closed by default, with the nonce that the document needs for its hello.
 *
 * @throws SocialError FORBIDDEN for a document that its sandbox would not keep apart from this page (security rule 4).
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
  frame.loading = 'eager'; // when it is made, it is wanted
  frame.allow = '';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', sandbox);
  frame.src = href + helloFragment({ nonce, origin: location.origin });
  return frame;
}
