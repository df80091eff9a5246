import { html, LitElement, type PropertyDeclarations } from 'lit';

/** Detail of `gantry-width`. */
export interface WidthChange {
  /** CSS pixels; undefined: as wide as the page allows. */
  readonly width: number | undefined;
  /** The pointer was let go, or a key was pressed. */
  readonly isDone: boolean;
}

const [least, most] = [120, 2560];

/**
 * Separator at the end of a place that makes it wider or narrower: by pointer, arrow keys (10 px, with Shift 1 px), Home and End.
 *
 * @element gantry-width-handle
 * @fires {CustomEvent<WidthChange>} gantry-width - It was moved.
 */
export class GantryWidthHandle extends LitElement {
  static override properties: PropertyDeclarations = { width: { attribute: false }, actual: { state: true } };
  declare width: number | undefined;
  declare actual: number;
  #drag: { readonly x: number; readonly width: number } | undefined;
  #observer = new ResizeObserver(() => {
    this.actual = Math.round(this.#place?.getBoundingClientRect().width ?? 0);
  });

  constructor() {
    super();
    this.actual = 0;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#place) this.#observer.observe(this.#place);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  get #place(): Element | null {
    return this.closest('.place');
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
        aria-valuenow=${this.actual}
        aria-valuetext="${this.actual} pixels${this.width ? '' : ', full width'}"
        @keydown=${this.#onKey}
        @pointerdown=${this.#onDown}
        @pointermove=${this.#onMove}
        @pointerup=${this.#onUp}
        @pointercancel=${this.#onUp}
        @dblclick=${() => this.#tell(undefined, true)}
      ></div>
      <output class="width" aria-hidden="true">${this.actual}&#8239;px</output>
    `;
  }

  #tell(width: number | undefined, isDone: boolean): void {
    const within = width === undefined ? undefined : Math.round(Math.min(most, Math.max(least, width)));
    const detail: WidthChange = { width: within, isDone };
    this.dispatchEvent(new CustomEvent('gantry-width', { detail, bubbles: true }));
  }

  #onKey(event: KeyboardEvent): void {
    const step = event.shiftKey ? 1 : 10;
    const widths: Readonly<Record<string, number | undefined>> = {
      ArrowRight: this.actual + step,
      ArrowLeft: this.actual - step,
      Home: least,
      End: undefined,
    };
    if (!Object.hasOwn(widths, event.key)) return;
    event.preventDefault();
    this.#tell(widths[event.key], true);
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#drag = { x: event.clientX, width: this.actual };
    document.documentElement.classList.add('dragging'); // frames would take the pointer
  }

  #onMove(event: PointerEvent): void {
    if (this.#drag) this.#tell(this.#widthAt(event), false);
  }

  #onUp(event: PointerEvent): void {
    if (!this.#drag) return;
    const isMoved = event.clientX !== this.#drag.x;
    if (isMoved) this.#tell(this.#widthAt(event), true);
    this.#drag = undefined;
    document.documentElement.classList.remove('dragging');
  }

  #widthAt(event: PointerEvent): number {
    const { x, width } = this.#drag as { readonly x: number; readonly width: number };
    return width + (event.clientX - x) * 2; // the place is centred: both of its edges move
  }
}
customElements.define('gantry-width-handle', GantryWidthHandle);
