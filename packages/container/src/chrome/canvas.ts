import { dress } from '../dress.ts';
import { layersOf } from '../layers/page-layers.ts';
import type { ChromePlace } from './attend.ts';
import { css } from './css.ts';
import { textElement } from './dialog.ts';
import { giveFocus } from './give-focus.ts';
import { raiseToasts } from './toasts.ts';

/**
 * How a view other than the gadget's own is shown, with a bar that leads back. `large`: it fills the window below
 * `--gantry-canvas-inset`. `inPlace`: where the gadget stands.
 */
export type Away = 'large' | 'inPlace';

export interface Canvas {
  /** Without `away` the gadget shows its own view. */
  set(away?: Away): void;
  /** As the member does with the bar; nothing where there is none. */
  leave(): void;
}

const bar = 'canvas-bar';

/** @param options.onBack The member wants to leave it. */
export function canvasOf(
  element: HTMLElement,
  options: { readonly title: string; readonly messages: ChromePlace['messages']; readonly onBack: () => void },
): Canvas {
  const { title, messages, onBack } = options;
  const root = element.shadowRoot as ShadowRoot;
  let forget = () => {};

  function leave(): void {
    if (!root.querySelector(`.${bar}`)) return;
    set();
    onBack();
    giveFocus(root.querySelector('iframe'));
  }

  function set(away?: Away): void {
    forget();
    if (away !== 'large') change(away);
    // Not above a question that is open: an app that asks and goes elsewhere in one breath could cover it.
    else forget = layersOf(document).whenFree(() => change(away));
  }

  function change(away?: Away): void {
    root.querySelector(`.${bar}`)?.remove();
    if (element.hasAttribute('maximised') && away !== 'large') shrink();
    if (!away) return;
    dress(root, canvasStyles);
    const { language: lang } = messages;
    const head = textElement('div', '', { className: `${bar} ${away}` });
    const back = textElement('button', messages.back, { type: 'button', lang });
    back.addEventListener('click', leave);
    head.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
    if (away === 'large') {
      head.append(back, textElement('span', title));
      root.prepend(head);
      if (!element.hasAttribute('maximised')) grow();
    } else {
      head.append(back, textElement('span', messages.preferences, { lang }));
      root.querySelector('.stage')?.before(head);
    }
  }

  function grow(): void {
    element.setAttribute('maximised', '');
    element.popover = 'manual'; // the top layer: no stacking of the site's hides it, and the frame is not moved
    element.showPopover?.();
    raiseToasts();
    if (getComputedStyle(element).getPropertyValue('--gantry-canvas-inset') === '') setCovered(true);
  }

  function shrink(): void {
    element.removeAttribute('maximised');
    element.removeAttribute('popover');
    setCovered(false);
  }

  /** What lies below the gadget is out of reach for keyboards too. */
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

// Important, because a site's own rules for the tag, such as `display: block`, count more than those of `:host`.
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
  :host([maximised]) .stage {
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
