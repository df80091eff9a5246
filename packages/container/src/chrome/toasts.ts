import { dress } from '../dress.ts';
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
  /** Takes the toast away. */
  readonly signal: AbortSignal;
}

const maxToasts = 3;

/**
 * Shows a short text above the page's lower edge until its time is over, which stands still while somebody points at a toast or
 * has the focus in it. Of more than three the oldest of the same app goes, else the oldest.
 *
 * @returns `action` if its button was pressed; `closed` otherwise.
 */
export function showToast(options: ToastOptions): Promise<'action' | 'closed'> {
  const { app, text, kind, action, messages, place, signal } = options;
  const durationMs = Math.min(Math.max(options.durationMs ?? (action ? 10_000 : 6_000), 2_000), 20_000);
  const region = document.querySelector<HTMLElement>('gantry-toasts') ?? createRegion(messages);
  const list = region.shadowRoot?.firstElementChild as HTMLElement;
  dressLike(region, place);

  const shown = [...list.children] as HTMLElement[];
  if (shown.length >= maxToasts)
    (shown.find((toast) => toast.dataset.app === app) ?? shown[0])?.dispatchEvent(new Event('leave'));

  return new Promise((resolve) => {
    const toast = textElement('div', '', { className: `toast ${kind}` });
    toast.dataset.app = app;
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

    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = (): void => {
      clearTimeout(timer);
      if (!toast.matches(':hover, :focus-within')) timer = setTimeout(end, durationMs, 'closed');
    };
    const end = (how: 'action' | 'closed'): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      toast.remove();
      if (list.childElementCount === 0) region.remove();
      resolve(how);
    };
    const leave = (): void => end('closed');
    close.addEventListener('click', leave);
    toast.addEventListener('leave', leave);
    toast.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) {
      toast.addEventListener(type, () => queueMicrotask(run));
    }
    signal.addEventListener('abort', leave);
    list.append(toast);
    raiseToasts();
    run();
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
