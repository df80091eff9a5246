// <gantry-stage>: one app for one member, in a place of the scenario's width and theme.
//
//   const stage = document.createElement('gantry-stage');
//   stage.lab = await client.make({ scenario });   // LabAnswer
//   stage.scenario = scenario;                     // theme and width need no reload
//   stage.app = 'friends';
//   stage.persona = 'm-2';                         // default: the scenario's, or the lab's first
//   stage.state = { draft: 'x' };                  // what gantry.state holds at the start
//   stage.plain = true;                            // no frame, no handle: stories and window.mount
//
// Events: `gantry-width` (detail: { width }) when the handle was moved; those of <gantry-gadget>
// bubble through it. `stage.gadget` is the gadget's element, for `reload()`; undefined before the
// first render.
import type { GantryGadget } from '@gantry/container';
import type { LabAnswer } from '@gantry/dev/protocol';
import { createLabClock, nobody, observeFor, openContainer, type Report, type StageContainer } from '@gantry/lab/page';
import type { Scenario } from '@gantry/lab/scenario';
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import './width-handle.ts';

/**
 * Shows an app as one member sees it.
 *
 * @element gantry-stage
 * @fires {CustomEvent<WidthChange>} gantry-width - The handle was moved.
 */
export class GantryStage extends LitElement {
  static override properties: PropertyDeclarations = {
    lab: { attribute: false },
    scenario: { attribute: false },
    app: {},
    persona: {},
    plain: { type: Boolean },
    report: { attribute: false },
  };
  declare lab: LabAnswer | undefined;
  declare scenario: Scenario;
  declare app: string;
  declare persona: string | undefined;
  declare plain: boolean;
  /** Takes what the gadget and its page say to each other. */
  declare report: Report;
  /** Value of `gantry.state` at the start. Set it before `lab`. */
  state: unknown;
  #clock = createLabClock();
  #clockOf: LabAnswer | undefined;
  #container: StageContainer | undefined;
  #containerKey = '';
  #gadget: GantryGadget | undefined;

  constructor() {
    super();
    this.scenario = {};
    this.app = '';
    this.plain = false;
    this.report = () => {};
  }

  /** The gadget's element. */
  get gadget(): GantryGadget | undefined {
    return this.#gadget;
  }

  /** Member who looks, or `nobody`. */
  get viewer(): string {
    return this.persona ?? this.scenario.persona ?? this.lab?.personas[0]?.id ?? nobody;
  }

  // Not in a shadow: sites have their gadgets in the document, and styles of the page's tokens
  // reach it.
  override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    if (!this.lab || !this.app) {
      this.#gadget = undefined;
      return;
    }
    const { viewer: persona, lab, report, state } = this;
    const { locale, owner, view, params } = this.scenario;
    if (lab !== this.#clockOf) this.#clock = createLabClock(); // that of another lab may be behind: no clock goes back
    this.#clockOf = lab;
    void this.#clock.set({ aheadMs: (this.scenario.clock ?? 0) * 1_000 });
    const key = JSON.stringify([lab.lab, persona, locale, this.app, owner, view, params]);
    if (key === this.#containerKey) return;
    this.#containerKey = key;
    this.#container?.close();
    this.#container = openContainer({
      ...{ lab, persona, state, clock: this.#clock, scenario: () => this.scenario },
      observe: observeFor(lab, persona, report),
    });
    const gadget = document.createElement(this.#container.element) as GantryGadget;
    gadget.setAttribute('app', this.app);
    gadget.setAttribute('loading', 'eager');
    if (!this.plain) gadget.setAttribute('heading', ''); // as in a card of a site, with the app's title
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
      <div class="place ${this.plain ? 'plain' : ''}" .style=${style}>
        <div class="page" .style=${`color-scheme:${theme ?? 'light dark'}`} dir=${direction ?? nothing}>
          ${keyed(this.#containerKey, this.#gadget)}
        </div>
        ${this.plain ? nothing : html`<gantry-width-handle .width=${width}></gantry-width-handle>`}
      </div>
    `;
  }
}
customElements.define('gantry-stage', GantryStage);

declare global {
  interface HTMLElementTagNameMap {
    'gantry-stage': GantryStage;
  }
}
