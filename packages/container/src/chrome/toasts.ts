import type { Clock } from '@gantry/wire';
import { dress } from '../dress.ts';
import { layersOf } from '../layers/page-layers.ts';
import type { ChromeMessages } from '../messages/chrome-messages.ts';
import type { Messages } from '../messages/messages.ts';
import type { ToastKind } from './asking.ts';
import { textElement } from './dialog.ts';
import { dressLike } from './palette.ts';
import { toastStyles } from './toast-styles.ts';

export interface ToastOptions {
  /** Registered name of the app that says it. */
  readonly app: string;
  readonly text: string;
  readonly kind: ToastKind;
  /** 2 to 20 seconds; six by default, ten with an action. */
  readonly durationMs: number | undefined;
  /** Label of a button. */
  readonly action: string | undefined;
  readonly messages: Messages & ChromeMessages;
  readonly place: Element;
  readonly clock: Pick<Clock, 'after'>;
  /** Takes the toast away. */
  readonly signal: AbortSignal;
}

/**
 * Shows a short text at an edge of the window until its time is over, which stands still while somebody points at a toast or
 * has the focus in it. It waits while a modal question is open, and where it would cover something that the container asks
 * (security rule 26).
 *
 * @returns `action` if its button was pressed; `closed` otherwise.
 */
export function showToast(options: ToastOptions): Promise<'action' | 'closed'> {
  const { app, text, kind, action, messages, place, clock, signal } = options;
  const durationMs = Math.min(Math.max(options.durationMs ?? (action ? 10_000 : 6_000), 2_000), 20_000);

  return new Promise((resolve) => {
    const toast = textElement('div', '', { className: `toast ${kind}`, lang: messages.language });
    const words = textElement('div', '', { className: 'words' });
    words.append(textElement('span', app, { className: 'app' }), textElement('span', text, { dir: 'auto' }));
    const close = textElement('button', '×', { type: 'button', className: 'close', ariaLabel: messages.close });
    toast.append(words);
    if (action) {
      const button = textElement('button', action, { type: 'button', className: 'action' });
      button.addEventListener('click', () => end('action'));
      toast.append(button);
    }
    toast.append(close);

    let stopTimer = () => {};
    const run = (): void => {
      stopTimer();
      if (toast.isConnected && !toast.matches(':hover, :focus-within')) stopTimer = clock.after(durationMs, leave);
    };
    const hide = (): void => {
      stopTimer();
      const region = toast.isConnected && (toast.getRootNode() as ShadowRoot).host;
      toast.remove();
      if (region && !region.shadowRoot?.firstElementChild?.hasChildNodes()) region.remove();
    };
    const show = (): void => {
      const region = document.querySelector<HTMLElement>('gantry-toasts') ?? createRegion(messages);
      dressLike(region, place);
      const list = region.shadowRoot?.firstElementChild;
      list?.append(toast);
      layersOf(document).place(region);
      raiseToasts();
      region.scrollTop = region.scrollHeight; // the newest stands last
      run();
    };
    const end = (how: 'action' | 'closed'): void => {
      hide();
      forget();
      signal.removeEventListener('abort', leave);
      resolve(how);
    };
    const leave = (): void => end('closed');
    close.addEventListener('click', leave);
    toast.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) {
      toast.addEventListener(type, () => queueMicrotask(run));
    }
    signal.addEventListener('abort', leave);
    const forget = layersOf(document).add({ app, show, hide, close: leave });
  });
}

/** Puts what is shown above whatever came into the top layer meanwhile. */
export function raiseToasts(): void {
  const region = document.querySelector<HTMLElement>('gantry-toasts');
  region?.hidePopover?.();
  region?.showPopover?.();
}

function createRegion(messages: Messages & ChromeMessages): HTMLElement {
  const region = document.createElement('gantry-toasts');
  region.lang = messages.language;
  const root = region.attachShadow({ mode: 'open' });
  dress(root, toastStyles);
  const list = textElement('div', '', { role: 'log', ariaLive: 'polite', ariaLabel: messages.notices });
  root.append(list);
  region.popover = 'manual';
  document.body.append(region);
  return region;
}
