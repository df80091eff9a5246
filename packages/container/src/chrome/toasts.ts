import type { Clock } from '@gantry/wire/runtime';
import { layersOf, raise } from '../layers/page-layers.ts';
import type { Messages } from '../messages/messages.ts';
import { adoptStyles } from './css.ts';
import { copyPalette } from './palette.ts';
import { paletteStyles } from './palette-styles.ts';
import { textElement } from './text-element.ts';
import { toastStyles } from './toast-styles.ts';

export const toastKinds = ['info', 'success', 'warning', 'error'] as const;

export interface ToastOptions {
  /** Registered name of the app. */
  readonly app: string;
  readonly text: string;
  readonly kind: (typeof toastKinds)[number];
  /** 2 to 20 seconds; six by default, ten with an action. */
  readonly durationMs: number | undefined;
  /** Label of a button. */
  readonly action: string | undefined;
  readonly messages: Messages;
  readonly place: Element;
  readonly clock: Pick<Clock, 'after'>;
  /** Closes the toast. */
  readonly signal: AbortSignal;
}

/**
 * Shows a short text at an edge of the window for a while. The timer restarts when the pointer or
 * the focus leaves the toast. It waits while a modal dialog is open, or while it would cover a
 * question of the container (security rule 26).
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
      copyPalette(region, place);
      const list = region.shadowRoot?.firstElementChild;
      list?.append(toast);
      layersOf(document).place(region);
      raise(region);
      region.scrollTop = region.scrollHeight; // the newest is last
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

export function raiseToasts(): void {
  const region = document.querySelector<HTMLElement>('gantry-toasts');
  if (region) raise(region);
}

function createRegion(messages: Messages): HTMLElement {
  const region = document.createElement('gantry-toasts');
  region.lang = messages.language;
  const root = region.attachShadow({ mode: 'open' });
  adoptStyles(root, paletteStyles);
  adoptStyles(root, toastStyles);
  const list = textElement('div', '', { role: 'log', ariaLive: 'polite', ariaLabel: messages.notices });
  root.append(list);
  region.popover = 'manual';
  document.body.append(region);
  return region;
}
