import { html, nothing, type PropertyDeclarations } from 'lit';
import { inputs, ownState, PageElement } from '../page-element.ts';

const mostChildren = 100;
const mostText = 1_000;

/**
 * Shows JSON as a tree of parts that open. They are drawn when opened, long lists in steps of 100.
 *
 * @element gantry-json
 */
export class GantryJson extends PageElement {
  static override properties: PropertyDeclarations = {
    ...inputs('value', 'name', 'depth'),
    ...ownState('isOpen', 'shown'),
  };
  declare value: unknown;
  declare name: string | undefined;
  declare depth: number;
  declare isOpen: boolean | undefined;
  declare shown: number;

  constructor() {
    super();
    this.depth = 0;
    this.shown = mostChildren;
  }

  protected override render(): unknown {
    const { value, name } = this;
    const label = name === undefined ? nothing : html`<b>${name}</b>: `;
    if (value === null || typeof value !== 'object') {
      const text = JSON.stringify(value) ?? 'undefined';
      const cut = text.length > mostText ? `${text.slice(0, mostText)}… (${text.length} characters)` : text;
      return html`<div class="leaf">${label}<span class=${value === null ? 'null' : typeof value}>${cut}</span></div>`;
    }
    const children = Object.entries(value);
    const isOpen = this.isOpen ?? this.depth < 2;
    const size = Array.isArray(value) ? `[${children.length}]` : `{${children.length}}`;
    if (children.length === 0)
      return html`<div class="leaf">${label}<span class="null">${Array.isArray(value) ? '[]' : '{}'}</span></div>`;
    return html`
      <details ?open=${isOpen} @toggle=${this.#onToggle}>
        <summary>${label}<span class="null">${size}</span></summary>
        ${isOpen ? children.slice(0, this.shown).map(([key, child]) => html`<gantry-json .name=${key} .value=${child} .depth=${this.depth + 1}></gantry-json>`) : nothing}
        ${
          isOpen && children.length > this.shown
            ? html`<button type="button" class="link" @click=${this.#showMore}>${children.length - this.shown} more</button>`
            : nothing
        }
      </details>
    `;
  }

  #onToggle(event: Event): void {
    this.isOpen = (event.currentTarget as HTMLDetailsElement).open;
  }

  #showMore(): void {
    this.shown += mostChildren;
  }
}
customElements.define('gantry-json', GantryJson);
