import { textElement } from './text-element.ts';

const maxLines = 5;
const settleMs = 100; // screen readers miss what is in a new live region at once
const shownMs = 10_000;

/** Announces `text` to screen readers, through the page's one live region of all gadgets. */
export function announce(options: {
  readonly text: string;
  /** BCP 47 tag of `text`; the page's by default. */
  readonly lang?: string;
  /** Interrupts other announcements. */
  readonly isUrgent?: boolean;
}): void {
  const { text, lang = '', isUrgent = false } = options;
  const { shadowRoot } = document.querySelector('gantry-voice') ?? createVoice();
  const region = shadowRoot?.children[isUrgent ? 1 : 0] as HTMLElement;
  setTimeout(() => {
    while (region.childElementCount >= maxLines) region.firstElementChild?.remove();
    const line = textElement('p', text, { dir: 'auto' });
    if (lang) line.lang = lang;
    region.append(line);
    setTimeout(() => line.remove(), shownMs); // else it would be read again as part of the page
  }, settleMs);
}

function createVoice(): HTMLElement {
  const voice = document.createElement('gantry-voice');
  voice.style.cssText =
    'position:fixed;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';
  const regions = ['polite', 'assertive'].map((ariaLive) =>
    textElement('div', '', { ariaLive, ariaAtomic: 'false', ariaRelevant: 'additions' }),
  );
  voice.attachShadow({ mode: 'open' }).append(...regions);
  document.body.append(voice);
  return voice;
}
