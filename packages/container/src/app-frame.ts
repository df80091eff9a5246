import { helloFragment } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';

/**
 * Makes the iframe of one load: closed by default, with the nonce that its document needs for its hello.
 *
 * @throws SocialError FORBIDDEN for a document that its sandbox would not keep apart from this page (security rule 4).
 */
export function createFrame(options: {
  /** Absolute URL of the app's document. */
  readonly document: string;
  readonly sandbox: string;
  /** Accessible name. */
  readonly title: string;
  readonly nonce: string;
}): HTMLIFrameElement {
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
