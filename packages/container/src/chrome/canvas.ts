import { layersOf } from '../layers/page-layers.ts';
import type { Messages } from '../messages/messages.ts';
import { adoptStyles } from './adopt-styles.ts';
import { css } from './css.ts';
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

// Important, because a site's rules for the tag, such as `display: block`, win over `:host`.
const canvasStyles = css`
  :host([maximised]) {
    position: fixed !important;
    inset: var(--gantry-canvas-inset, 0) !important;
    box-sizing: border-box;
    display: flex !important;
    flex-direction: column;
    inline-size: auto !important;
    max-inline-size: none !important;
    block-size: auto !important;
    max-block-size: none !important;
    margin: 0 !important;
    padding: 0;
    border: 0;
    background: var(--_surface);
    color: var(--_ink);
    overflow: hidden;
  }
  :host([maximised]) h2,
  :host([maximised]) ::slotted([slot='heading']) {
    display: none;
  }
  :host([maximised]) .head {
    position: absolute;
    inset-block-start: -2.625rem; /* in the middle of the bar */
    inset-inline-end: 0.75rem;
    margin: 0;
  }
  :host([maximised]) .body {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-block-size: 0;
  }
  :host([maximised]) .pane {
    flex: 1;
    min-block-size: 0;
    block-size: auto;
    border-radius: 0;
    transition: none;
  }
  :host([maximised]) iframe {
    block-size: 100%;
  }
  .canvas-bar {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.875rem;
    padding: 0.5rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    font-weight: 650;
  }
  .inPlace {
    padding: 0 0.75rem 0.25rem;
    border: 0;
  }
  .canvas-bar span {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .canvas-bar button {
    flex: none;
    min-block-size: 2.5rem;
    margin: 0;
    padding-block: 0;
    padding-inline: 0.75rem 1rem;
    border: 1px solid var(--_line);
    border-radius: 1.25rem;
    background: none;
    color: var(--_ink);
    font-weight: 600;
  }
  .canvas-bar button::before {
    content: '';
    display: inline-block;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    margin-inline-end: 0.5rem;
    border: solid currentColor;
    border-width: 0 0 2px 2px;
    rotate: 45deg;
  }
  .canvas-bar:dir(rtl) button::before {
    rotate: -135deg;
  }
  .canvas-bar button:hover {
    background: color-mix(in srgb, var(--_muted) 14%, transparent);
  }
`;
