import { html, type PropertyDeclarations } from 'lit';
import { PageElement } from './page-element.ts';

/** Detail of `gantry-width`. */
export interface WidthChange {
  /** CSS pixels; undefined: as wide as the page allows. */
  readonly width: number | undefined;
}

const [least, most] = [120, 2560];

/**
 * Separator at the end of a place that makes it wider or narrower: by pointer, arrow keys (10 px,
 * with Shift 1 px), Home and End.
 *
 * @element gantry-width-handle
 * @fires {CustomEvent<WidthChange>} gantry-width - It was moved.
 */
export class GantryWidthHandle extends PageElement {
  static override properties: PropertyDeclarations = {
    width: { attribute: false },
    actual: { state: true },
    dragged: { state: true },
  };
  declare width: number | undefined;
  declare actual: number;
  /** Width while the pointer holds the handle. */
  declare dragged: number | undefined;
  #drag: { readonly x: number; readonly width: number } | undefined;
  #observer = new ResizeObserver(() => {
    this.actual = Math.round(this.#place?.getBoundingClientRect().width ?? 0);
  });

  constructor() {
    super();
    this.actual = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#place) this.#observer.observe(this.#place);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  get #place(): HTMLElement | null {
    return this.closest<HTMLElement>('.place');
  }

  /** Pixels. The place is measured a frame later, which is too late for a key that is held. */
  get #now(): number {
    return this.dragged ?? this.width ?? this.actual;
  }

  protected override render(): unknown {
    return html`
      <div
        role="separator"
        tabindex="0"
        aria-label="Width of the gadget’s place"
        aria-orientation="vertical"
        aria-valuemin=${least}
        aria-valuemax=${most}
        aria-valuenow=${this.#now}
        aria-valuetext="${this.#now} pixels${this.width ? '' : ', full width'}"
        @keydown=${this.#onKey}
        @pointerdown=${this.#onDown}
        @pointermove=${this.#onMove}
        @pointerup=${this.#onUp}
        @pointercancel=${this.#onUp}
        @dblclick=${() => this.#tell(undefined)}
      ></div>
      <output class="width" aria-hidden="true">${this.#now}&#8239;px</output>
    `;
  }

  #tell(width: number | undefined): void {
    const detail: WidthChange = { width: width === undefined ? undefined : within(width) };
    this.dispatchEvent(new CustomEvent('gantry-width', { detail, bubbles: true }));
  }

  #onKey(event: KeyboardEvent): void {
    const step = event.shiftKey ? 1 : 10;
    const widths: Readonly<Record<string, number | undefined>> = {
      ArrowRight: this.#now + step,
      ArrowLeft: this.#now - step,
      Home: least,
      End: undefined,
    };
    if (!Object.hasOwn(widths, event.key)) return;
    event.preventDefault();
    this.#tell(widths[event.key]);
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#drag = { x: event.clientX, width: this.#now };
    document.documentElement.classList.add('dragging'); // frames would capture the pointer
  }

  // Fired once, at the end: browsers limit address changes to a few hundred in ten seconds.
  #onMove(event: PointerEvent): void {
    if (!this.#drag) return;
    this.dragged = within(this.#widthAt(event));
    if (this.#place) this.#place.style.inlineSize = `${this.dragged}px`;
  }

  #onUp(): void {
    const { dragged } = this;
    this.#drag = undefined;
    this.dragged = undefined;
    document.documentElement.classList.remove('dragging');
    if (dragged !== undefined) this.#tell(dragged);
  }

  #widthAt(event: PointerEvent): number {
    const { x, width } = this.#drag as { readonly x: number; readonly width: number };
    return width + (event.clientX - x) * 2; // the place is centred: both of its edges move
  }
}
function within(width: number): number {
  return Math.round(Math.min(most, Math.max(least, width)));
}

customElements.define('gantry-width-handle', GantryWidthHandle);
