import { layersOf } from '../layers/page-layers.ts';
import type { Messages } from '../messages/messages.ts';
import { canvasStyles } from './canvas-styles.ts';
import { adoptStyles } from './css.ts';
import { giveFocus } from './give-focus.ts';
import { textElement } from './text-element.ts';
import { raiseToasts } from './toasts.ts';

/**
 * Layout of a view other than the gadget's own, with a bar that leads back. `large` fills the
 * window below `--gantry-canvas-inset`; `inPlace` keeps the gadget's box.
 */
export type CanvasMode = 'large' | 'inPlace';

const bar = 'canvas-bar';

/** @param options.onBack Called when the member goes back. */
export function createCanvas(
  element: HTMLElement,
  options: { readonly title: string; readonly messages: Messages; readonly onBack: () => void },
) {
  const { title, messages, onBack } = options;
  const root = element.shadowRoot as ShadowRoot;
  let forget = () => {};

  /** Goes back, as the bar's button does, if there is a bar. */
  function leave(): void {
    if (!root.querySelector(`.${bar}`)) return;
    set();
    onBack();
    giveFocus(root.querySelector('iframe'));
  }

  /** Applies a layout; without `mode` that of the gadget's own view. */
  function set(mode?: CanvasMode): void {
    forget();
    if (mode !== 'large') change(mode);
    // After open dialogs: an app that asks and navigates at once could cover its dialog.
    else forget = layersOf(document).whenFree(() => change(mode));
  }

  function change(mode?: CanvasMode): void {
    root.querySelector(`.${bar}`)?.remove();
    if (element.hasAttribute('maximised') && mode !== 'large') shrink();
    if (!mode) return;
    adoptStyles(root, canvasStyles);
    const { language: lang } = messages;
    const head = textElement('div', '', { className: `${bar} ${mode}` });
    const back = textElement('button', messages.back, { type: 'button', lang });
    back.addEventListener('click', leave);
    head.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
    if (mode === 'large') {
      head.append(back, textElement('span', title));
      root.prepend(head);
      if (!element.hasAttribute('maximised')) grow();
    } else {
      head.append(back, textElement('span', messages.preferences, { lang }));
      root.querySelector('.pane')?.before(head);
    }
  }

  function grow(): void {
    element.setAttribute('maximised', '');
    element.popover = 'manual'; // in the top layer no stacking context hides it, and the frame keeps its parent
    element.showPopover?.();
    raiseToasts();
    if (getComputedStyle(element).getPropertyValue('--gantry-canvas-inset') === '') setCovered(true);
  }

  function shrink(): void {
    element.removeAttribute('maximised');
    element.removeAttribute('popover');
    setCovered(false);
  }

  /** Makes everything below the gadget inert, for keyboards too. */
  function setCovered(isCovered: boolean): void {
    for (const other of document.querySelectorAll<HTMLElement>('[data-gantry-covered]')) {
      other.inert = false;
      delete other.dataset.gantryCovered;
    }
    if (!isCovered) return;
    for (let inner: Element | null = element; inner && inner !== document.body; inner = upFrom(inner)) {
      for (const other of inner.parentNode?.children ?? []) {
        if (
          other === inner ||
          !(other instanceof HTMLElement) ||
          other.inert ||
          ['gantry-toasts', 'gantry-voice'].includes(other.localName)
        )
          continue;
        other.inert = true;
        other.dataset.gantryCovered = '';
      }
    }
  }

  return { set, leave };
}

function upFrom(element: Element): Element | null {
  const parent = element.parentNode;
  return parent instanceof ShadowRoot ? parent.host : (parent as Element | null);
}
