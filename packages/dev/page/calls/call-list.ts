import { countText } from '@gantry/wire/runtime';
import { html, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { inputs, ownState, PageElement } from '../page-element.ts';
import { callDetail } from './call-detail.ts';
import { callRow, rowHeight } from './call-row.ts';
import type { Category } from './describe.ts';
import { listTools } from './list-tools.ts';
import type { Row, RowLog } from './row-log.ts';
import { selectRows } from './select-rows.ts';
import { visibleWindow } from './visible-window.ts';

const everyMs = 100;
const chips: readonly (Category | 'refusals')[] = ['calls', 'refusals', 'events', 'console', 'builds', 'upstream'];

/**
 * Lists what app, page and site say to each other. Only rows in sight are in the document, however
 * long the list is.
 *
 * Keys: arrows, Home, End, Page Up and Page Down move, Enter opens, Escape closes, `/` searches.
 *
 * @element gantry-call-list
 */
export class GantryCallList extends PageElement {
  static override properties: PropertyDeclarations = {
    ...inputs('log', 'labs', 'names', 'timeZone', 'isTape', 'openTape', 'saveTape'),
    ...ownState('search', 'chosen', 'active', 'isOpen', 'paused', 'scrolled'),
  };
  declare log: RowLog;
  declare labs: ReadonlySet<string>;
  /** Names of members, by id. */
  declare names: ReadonlyMap<string, string>;
  declare timeZone: string | undefined;
  /** The rows come from a file: pausing and clearing make no sense. */
  declare isTape: boolean;
  declare openTape: ((file: Blob) => void) | undefined;
  declare saveTape: ((rows: readonly Row[]) => void) | undefined;
  declare search: string;
  declare chosen: ReadonlySet<Category | 'refusals'>;
  /** Number of the row at which the keyboard is. */
  declare active: number | undefined;
  declare isOpen: boolean;
  /** Rows as they were when the list was paused. */
  declare paused: readonly Row[] | undefined;
  declare scrolled: { readonly top: number; readonly height: number };
  #rows: readonly Row[] = [];
  #version = -1;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isAtEnd = true;
  #sizes = new ResizeObserver(() => this.#onScroll());

  constructor() {
    super();
    this.labs = new Set();
    this.names = new Map();
    this.search = '';
    this.chosen = new Set();
    this.isOpen = false;
    this.isTape = false;
    this.scrolled = { top: 0, height: 400 };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#onSlash);
    this.#timer = setInterval(() => {
      if (this.log.version !== this.#version) this.requestUpdate();
    }, everyMs);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#onSlash);
    clearInterval(this.#timer);
    this.#sizes.disconnect();
  }

  protected override firstUpdated(): void {
    if (this.#grid) this.#sizes.observe(this.#grid);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('log')) this.#startAnew();
    this.#version = this.log.version;
    this.#rows = selectRows(this.paused ?? this.log.rows, { search: this.search, chips: this.chosen, labs: this.labs });
  }

  protected override updated(changed: PropertyValues): void {
    const grid = this.#grid;
    if (grid && this.#isAtEnd && !this.isOpen) grid.scrollTop = grid.scrollHeight;
    if (changed.has('isOpen') && this.isOpen)
      this.#reveal(this.#rows.findIndex(({ number }) => number === this.active));
  }

  protected override render(): unknown {
    const { saveTape } = this;
    const open = this.isOpen ? this.#rows.find(({ number }) => number === this.active) : undefined;
    return html`
      ${listTools({
        search: this.search,
        isPaused: this.paused !== undefined,
        onSearch: (event) => this.#onSearch(event),
        onSearchKey: (event) => this.#onSearchKey(event),
        copy: () => copyRows(this.#rows),
        openTape: this.openTape,
        saveTape: saveTape && (() => saveTape(this.#rows)),
        ...(!this.isTape && { pause: () => this.#pause(), clear: () => this.#clear() }),
      })}
      <div class="filters" role="group" aria-label="Show only">
        ${chips.map(
          (chip) => html`
            <button type="button" aria-pressed=${this.chosen.has(chip)} @click=${() => this.#choose(chip)}>${chip}</button>
          `,
        )}
        <span class="count" role="status">${countText(this.#rows.length, 'row')}</span>
      </div>
      <div class="split ${open ? 'open' : ''}">
        ${this.#list()}
        ${open ? callDetail(open, { close: () => this.#close(), copy: () => copyRows([open]) }) : nothing}
      </div>
    `;
  }

  #list(): unknown {
    const rows = this.#rows;
    const { first, end } = visibleWindow({
      count: rows.length,
      rowHeight,
      scrollTop: this.scrolled.top,
      height: this.scrolled.height,
    });
    const active = rows.findIndex(({ number }) => number === this.active);
    const isDrawn = active >= first && active < end;
    return html`
      <div
        class="grid ${this.#areSeveral ? 'several' : ''}"
        role="grid"
        tabindex="0"
        aria-label="Calls"
        aria-rowcount=${rows.length}
        aria-activedescendant=${isDrawn ? `call-${this.active}` : nothing}
        @keydown=${this.#onKey}
        @scroll=${this.#onScroll}
      >
        ${rows.length === 0 ? html`<div role="row"><p role="gridcell" class="nothing">${this.#nothing()}</p></div>` : nothing}
        <div class="rows" role="rowgroup" .style=${`block-size:${rows.length * rowHeight}px`}>
          ${repeat(
            rows.slice(first, end),
            ({ number }) => number,
            (row, index) =>
              callRow(row, {
                index: first + index,
                isActive: row.number === this.active,
                names: this.names,
                timeZone: this.timeZone,
                open: () => this.#open(row.number),
              }),
          )}
        </div>
      </div>
    `;
  }

  #nothing(): string {
    if (this.search || this.chosen.size > 0) return 'Nothing here matches.';
    if (this.isTape) return 'This tape has no entries.';
    return 'Calls of the gadget appear here, with all that they lead to.';
  }

  /** Rows name the viewer, since there are several. */
  get #areSeveral(): boolean {
    const first = this.#rows.find(({ persona }) => persona !== undefined);
    return this.#rows.some(({ persona }) => persona !== undefined && persona !== first?.persona);
  }

  get #grid(): HTMLElement | null {
    return this.querySelector('[role=grid]');
  }

  #onScroll(): void {
    const grid = this.#grid;
    if (!grid) return;
    this.#isAtEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - rowHeight;
    this.scrolled = { top: grid.scrollTop, height: grid.clientHeight };
  }

  #onSlash = (event: KeyboardEvent): void => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isEditable(event.target)) return;
    event.preventDefault();
    this.querySelector<HTMLInputElement>('[type=search]')?.focus();
  };

  #onSearch({ target }: Event): void {
    this.search = (target as HTMLInputElement).value;
  }

  #onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      this.#grid?.focus();
      this.#moveTo(0);
    } else if (event.key === 'Escape' && this.search) {
      event.preventDefault();
      this.search = '';
    }
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.#rows.findIndex(({ number }) => number === this.active);
    const page = Math.max(1, Math.floor(this.scrolled.height / rowHeight) - 1);
    const last = this.#rows.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at === -1 ? last : at - 1,
      Home: 0,
      End: last,
      PageDown: at + page,
      PageUp: at - page,
    };
    if (event.key === 'Enter' && at >= 0) this.isOpen = true;
    else if (event.key === 'Escape' && this.isOpen) this.#close();
    else if (Object.hasOwn(targets, event.key)) this.#moveTo(targets[event.key] as number);
    else return;
    event.preventDefault();
  }

  #moveTo(index: number): void {
    const to = Math.min(this.#rows.length - 1, Math.max(0, index));
    const row = this.#rows[to];
    if (!row) return;
    this.active = row.number;
    this.#isAtEnd = false; // stay at the reader's row; at the end, follow new rows
    this.#reveal(to);
  }

  /** Scrolls as far as needed for a row to be in sight. */
  #reveal(index: number): void {
    const grid = this.#grid;
    if (!grid || index < 0) return;
    const top = index * rowHeight;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + rowHeight > grid.scrollTop + grid.clientHeight) grid.scrollTop = top + rowHeight - grid.clientHeight;
  }

  #open(number: number): void {
    this.active = number;
    this.isOpen = true;
    this.#grid?.focus();
  }

  #close(): void {
    this.isOpen = false;
    this.#grid?.focus();
  }

  #choose(chip: Category | 'refusals'): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(chip)) chosen.add(chip);
    this.chosen = chosen;
  }

  #pause(): void {
    this.paused = this.paused ? undefined : [...this.log.rows];
  }

  #clear(): void {
    this.log.clear();
    this.#startAnew();
    this.requestUpdate();
  }

  /** Resets for rows of another record. A tape starts at its beginning. */
  #startAnew(): void {
    this.paused = undefined;
    this.active = undefined;
    this.isOpen = false;
    this.#isAtEnd = !this.isTape;
  }
}
customElements.define('gantry-call-list', GantryCallList);

function copyRows(rows: readonly Row[]): void {
  const entries = rows.flatMap((row) => row.entries);
  void navigator.clipboard.writeText(JSON.stringify(entries, null, 2));
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}
