import { acceptHello, type CloseReason, helloFragment, type PageContext, randomNonce } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';
import type { Gadget } from './create-container.ts';
import { features } from './features/features.ts';
import type { Messages } from './messages/messages.ts';
import type { Action, Place } from './place.ts';

/** Why a load ended by itself: `silent` apps never said hello, `left` ones loaded another document. */
export type LoadEnd = 'silent' | 'left' | Exclude<CloseReason, 'closed'>;

/** One load of an app's document: an iframe, a nonce and a connection, made together and ended together. */
export interface AppLoad {
  /** To be put into the page once; it is never moved or loaded again. */
  readonly frame: HTMLIFrameElement;
  end(): void;
}

const patienceMs = 10_000;

function placeContext(instance: string, locale: string): PageContext {
  return { instance, locale, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, params: {} };
}

/**
 * @param options.title Accessible name of the frame.
 * @param options.element The `<gantry-gadget>` in which the frame will stand.
 * @param options.onEnd Called at most once, and not after `end`.
 * @throws SocialError FORBIDDEN for a document that its sandbox would not keep apart from this page (security rule 4).
 */
export function loadApp(
  gadget: Gadget,
  options: {
    readonly title: string;
    readonly element: HTMLElement;
    readonly locale: string;
    readonly messages: Messages;
    readonly tell: Place['tell'];
    readonly onReady: () => void;
    readonly onEnd: (why: LoadEnd) => void;
  },
): AppLoad {
  const { title, element, locale, messages, tell, onReady, onEnd } = options;
  const nonce = randomNonce();
  const frame = createFrame({ ...gadget, title, nonce });
  const emit: Place['emit'] = (name, data) => connection.emit(name, data);
  const running = features.map((create) => create({ element, frame, gadget, messages, emit, tell }));
  const actions = new Map<string, Action>(running.flatMap((feature) => Object.entries(feature.actions ?? {})));
  const connection = acceptHello({
    frame,
    nonce,
    context: () =>
      Object.assign(
        { ...gadget.context, ...placeContext(gadget.instance, locale) },
        ...running.map((feature) => feature.context?.()),
      ),
    actions,
    answer: gadget.answer,
    watch: gadget.watch,
    onReady() {
      clearTimeout(patience);
      for (const feature of running) feature.ready?.();
      onReady();
    },
    onClose(reason) {
      if (reason !== 'closed') finish(reason);
    },
  });
  const patience = setTimeout(() => finish('silent'), patienceMs);
  let loads = 0;
  let isOver = false;

  // Also a document of the same address is another one: it has a used nonce, or none, and knows no port.
  frame.addEventListener('load', () => {
    loads += 1;
    if (loads > 1) finish('left');
  });

  function finish(why?: LoadEnd): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(patience);
    connection.close();
    for (const feature of running) feature.end?.();
    if (why !== undefined) onEnd(why);
  }

  return { frame, end: () => finish() };
}

function createFrame(options: {
  readonly document: string;
  readonly sandbox: string;
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
  frame.loading = 'eager';
  frame.allow = '';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', sandbox);
  frame.src = href + helloFragment({ nonce, origin: location.origin });
  return frame;
}
