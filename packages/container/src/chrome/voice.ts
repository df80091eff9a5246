import { textElement } from './dialog.ts';

const maxLines = 5;
const settleMs = 100; // a live region that is new is not listened to yet
const shownMs = 10_000;

/** Says `text` to those who listen to the page instead of looking at it, through the one live region of all gadgets. */
export function say(options: {
  readonly text: string;
  /** BCP 47 tag of `text`; the page's without. */
  readonly lang?: string;
  /** Interrupts what is being said. */
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
    setTimeout(() => line.remove(), shownMs); // or whoever reads on finds old news there
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
