import { html, type PropertyDeclarations } from 'lit';
import { PageElement } from './page-element.ts';

/**
 * Clock of the lab, which is ahead of the browser's by `seconds`.
 *
 * @element gantry-lab-clock
 */
export class GantryLabClock extends PageElement {
  static override properties: PropertyDeclarations = {
    seconds: { attribute: false },
    timeZone: { attribute: false },
    nowMs: { state: true },
  };
  declare seconds: number;
  declare timeZone: string | undefined;
  declare nowMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.seconds = 0;
    this.nowMs = Date.now();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (!document.hidden) this.nowMs = Date.now();
    }, 1_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override render(): unknown {
    const { timeZone } = this;
    const at = new Date(this.nowMs + this.seconds * 1_000);
    const time = at.toLocaleTimeString('en-GB', { timeZone });
    const date = at.toLocaleDateString('en-GB', { timeZone, dateStyle: 'full' });
    return html`<time datetime=${at.toISOString()} title=${date}>${time}</time>`;
  }
}
customElements.define('gantry-lab-clock', GantryLabClock);
