import type { GantryGadget } from '@gantry/container';
import type { LabAnswer } from '@gantry/dev/protocol';
import { createLabClock, type LabContainer, nobody, observeFor, openContainer, type Report } from '@gantry/lab/page';
import type { Scenario } from '@gantry/lab/scenario';
import { html, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { PageElement } from './page-element.ts';
import './width-handle.ts';

/**
 * Shows an app as one member sees it.
 *
 * @element gantry-viewport
 * @fires {CustomEvent<WidthChange>} gantry-width - The handle was moved.
 */
export class GantryViewport extends PageElement {
  static override properties: PropertyDeclarations = {
    lab: { attribute: false },
    scenario: { attribute: false },
    app: {},
    persona: {},
    report: { attribute: false },
  };
  declare lab: LabAnswer | undefined;
  declare scenario: Scenario;
  declare app: string;
  declare persona: string | undefined;
  /** Takes what the gadget and its page say to each other. */
  declare report: Report;
  #clock = createLabClock();
  #clockOf: LabAnswer | undefined;
  #container: LabContainer | undefined;
  #containerKey = '';
  #gadget: GantryGadget | undefined;

  constructor() {
    super();
    this.scenario = {};
    this.app = '';
    this.report = () => {};
  }

  /** The gadget's element. */
  get gadget(): GantryGadget | undefined {
    return this.#gadget;
  }

  /** Id of the viewer, or `nobody`. */
  get viewer(): string {
    return this.persona ?? this.scenario.persona ?? this.lab?.personas[0]?.id ?? nobody;
  }

  protected override willUpdate(): void {
    if (!this.lab || !this.app) {
      this.#gadget = undefined;
      return;
    }
    const { viewer: persona, lab, report } = this;
    const { locale, owner, view, params } = this.scenario;
    if (lab !== this.#clockOf) this.#clock = createLabClock(); // another lab's clock may be behind
    this.#clockOf = lab;
    void this.#clock.set({ aheadMs: (this.scenario.clock ?? 0) * 1_000 });
    const key = JSON.stringify([lab.lab, persona, locale, this.app, owner, view, params]);
    if (key === this.#containerKey) return;
    this.#containerKey = key;
    this.#container?.close();
    this.#container = openContainer({
      lab,
      persona,
      clock: this.#clock,
      scenario: () => this.scenario,
      observe: observeFor(lab, persona, report),
    });
    const gadget = document.createElement(this.#container.element) as GantryGadget;
    gadget.setAttribute('app', this.app);
    gadget.setAttribute('loading', 'eager');
    gadget.setAttribute('heading', '');
    if (owner) gadget.setAttribute('owner', owner);
    if (view) gadget.setAttribute('view', view);
    this.#gadget = gadget;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('scenario')) return;
    document.dispatchEvent(new Event('gantry-refresh')); // containers look at the page again
  }

  protected override render(): unknown {
    const { theme, width, direction } = this.scenario;
    if (!this.#gadget) return nothing;
    const style = width ? `inline-size:${width}px` : '';
    return html`
      <div class="place" .style=${style}>
        <div class="page" .style=${`color-scheme:${theme ?? 'light dark'}`} dir=${direction ?? nothing}>
          ${keyed(this.#containerKey, this.#gadget)}
        </div>
        <gantry-width-handle .width=${width}></gantry-width-handle>
      </div>
    `;
  }
}
customElements.define('gantry-viewport', GantryViewport);

declare global {
  interface HTMLElementTagNameMap {
    'gantry-viewport': GantryViewport;
  }
}
