import type { AppFacts, BuildProblem, DevEvent, LabAnswer } from '@gantry/dev/protocol';
import { nobody } from '@gantry/lab/page';
import { html, nothing, type PropertyDeclarations } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Address, AddressPatch, PageState } from './address.ts';
import { createRowLog } from './calls/row-log.ts';
import { connectFrames, type Frames } from './connect-frames.ts';
import type { DevEvents } from './dev-events.ts';
import { icons, mark } from './icons.ts';
import { inputs, ownState, PageElement } from './page-element.ts';
import { problemCards } from './problem-cards.ts';
import { nextProblems, type Problem } from './problem-log.ts';
import { recall, remember } from './remember.ts';
import { labChange } from './scenario-change.ts';
import { scenarioChips } from './scenario-chips.ts';
import { changeLab, closeLab, LabGone, makeLab, ServerGone } from './server.ts';
import type { WidthChange } from './width-handle.ts';
import './calls-panel.ts';
import './hot/build-card.ts';
import './scenario-bar.ts';
import './viewport.ts';

const copiedMs = 2_000;
const gatherMs = 16;

/**
 * The dev host's page: scenario, viewport and list of calls.
 *
 * @element gantry-dev-host
 */
export class GantryDevHost extends PageElement {
  static override properties: PropertyDeclarations = {
    ...inputs('address', 'events'),
    ...ownState('lab', 'problem', 'isLost', 'isCopied', 'isListed', 'areAllShown', 'builds'),
  };
  declare address: Address;
  declare events: DevEvents;
  declare lab: LabAnswer | undefined;
  /** Error of making or changing the lab. */
  declare problem: string | undefined;
  declare isLost: boolean;
  declare isCopied: boolean;
  declare isListed: boolean;
  declare areAllShown: boolean;
  /** Problems of builds, by the id of the app. */
  declare builds: ReadonlyMap<string, BuildProblem>;
  #frames: Frames | undefined;
  /** Applied state of the lab. */
  #shown: PageState | undefined;
  #making = 0;
  readonly #log = createRowLog();
  #problems: readonly Problem[] = [];
  #gathering: ReturnType<typeof setTimeout> | undefined;
  /** Labs of this page; others belong to other pages. */
  #labs: ReadonlySet<string> = new Set();
  #ends: (() => void)[] = [];

  constructor() {
    super();
    this.isLost = false;
    this.isCopied = false;
    this.isListed = recall('calls') !== 'closed';
    this.areAllShown = false;
    this.builds = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const frames = connectFrames({
      shown: () => this.querySelectorAll('gantry-viewport'),
      events: this.events,
      onBuild: (app, problem) => {
        this.builds = new Map([...this.builds].filter(([id]) => id !== app).concat(problem ? [[app, problem]] : []));
      },
    });
    this.#frames = frames;
    this.#ends = [
      frames.close,
      this.address.subscribe((state) => void this.#show(state)),
      this.events.subscribe({
        onEvent: (event) => this.#onEvent(event),
        onConnection: (connection) => {
          this.isLost = connection === 'lost';
          if (connection === 'back') this.#startAgain();
        },
      }),
    ];
    void this.#make(this.address.state);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#ends) end();
  }

  /** Reloads the lab: after a reconnect the server may be new, with an empty record. */
  #startAgain(): void {
    this.#log.clear();
    this.#setProblems([]);
    void this.#make(this.address.state);
  }

  #onEvent(event: DevEvent): void {
    if (event.type !== 'entry') return;
    const { entry, explanation } = event;
    this.#log.add(entry, explanation);
    const isOurs = this.#labs.has(entry.lab) || entry.kind === 'build' || entry.kind === 'manifest';
    if (isOurs) this.#setProblems(nextProblems(this.#problems, entry, explanation));
  }

  /** Shows problems once for the entries of a moment: an app can cause thousands a second. */
  #setProblems(problems: readonly Problem[]): void {
    if (problems === this.#problems) return;
    this.#problems = problems;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.requestUpdate();
    }, gatherMs);
  }

  /** Applies changes to the lab, or makes another one if they are fixed in it. */
  async #show(state: PageState): Promise<void> {
    this.requestUpdate();
    const { lab } = this;
    const before = this.#shown;
    this.#shown = state;
    if (!lab || !before) return this.#make(state);
    const change = labChange(before.scenario, state.scenario);
    if (change === 'new') return this.#make(state);
    try {
      this.problem = undefined;
      if (change.jumpMs) {
        await changeLab(lab, 'clock', { jumpMs: change.jumpMs });
        this.#frames?.setClock(lab.lab, { aheadMs: (state.scenario.clock ?? 0) * 1_000 });
      }
      if (change.network) await changeLab(lab, 'faults', { network: change.network });
      if (change.permissions) await changeLab(lab, 'permissions', { permissions: change.permissions });
    } catch (error) {
      if (error instanceof LabGone) return this.#make(state);
      this.#fail(error);
    }
  }

  async #make(state: PageState): Promise<void> {
    const making = ++this.#making;
    this.#shown = state;
    try {
      const lab = await makeLab({ scenario: state.scenario, ...(state.story && { story: state.story }) });
      if (making !== this.#making) return; // the state changed meanwhile
      if (this.lab) closeLab(this.lab);
      this.lab = lab;
      this.#labs = new Set([...this.#labs, lab.lab]);
      this.problem = undefined;
    } catch (error) {
      if (making !== this.#making) return;
      this.lab = undefined;
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (error instanceof ServerGone) this.isLost = true;
    else this.problem = error instanceof Error ? error.message : String(error);
  }

  get #app(): AppFacts | undefined {
    const { app } = this.address.state;
    return this.lab?.apps.find(({ id }) => id === app) ?? this.lab?.apps[0];
  }

  protected override updated(): void {
    const app = this.#app?.name;
    document.title = app ? `${app} – gantry dev` : 'gantry dev';
  }

  protected override render(): unknown {
    const { state } = this.address;
    return html`
      ${this.#header()}
      <gantry-scenario-bar
        .state=${state}
        .lab=${this.lab}
        .app=${this.#app}
        @gantry-set=${({ detail }: CustomEvent<AddressPatch>) => this.address.set(detail)}
      ></gantry-scenario-bar>
      ${scenarioChips({ state, lab: this.lab, set: (patch) => this.address.set(patch), reset: () => this.address.reset() })}
      <div class="work ${this.isListed ? 'listed' : ''}">
        <main>
          ${problemCards({
            problems: this.#problems,
            isOpen: this.areAllShown,
            open: () => {
              this.areAllShown = true;
            },
            dismiss: ({ key }) => {
              this.#setProblems(this.#problems.filter((problem) => problem.key !== key));
            },
          })}
          ${this.#viewports(state)}
        </main>
        ${this.isListed ? this.#calls(state) : nothing}
      </div>
      ${this.isLost ? lost : nothing}
    `;
  }

  #header(): unknown {
    const apps = this.lab?.apps ?? [];
    return html`
      <header class="top">
        <h1>${mark} <span>gantry <b>dev</b></span></h1>
        ${
          apps.length > 1
            ? html`<nav aria-label="Apps">
                ${apps.map(
                  ({ id, name }) => html`<a
                    href="?app=${encodeURIComponent(id)}"
                    aria-current=${id === this.#app?.id ? 'page' : nothing}
                    @click=${(event: MouseEvent) => this.#go(event, id)}
                    >${name}</a
                  >`,
                )}
              </nav>`
            : html`<p class="app">${apps[0]?.name}</p>`
        }
        <a class="button" href="/stories">${icons.grid} <span>Stories</span></a>
        <button type="button" class="button" aria-pressed=${this.isListed} @click=${this.#toggleCalls}>${icons.list} <span>Calls</span></button>
        <button type="button" class="button" @click=${this.#copy}>
          ${icons.link} <span aria-live="polite">${this.isCopied ? 'Copied' : 'Copy link'}</span>
        </button>
      </header>
    `;
  }

  #calls({ scenario }: PageState): unknown {
    const names = new Map(this.lab?.personas.map(({ id, name }) => [id, name]));
    return html`
      <aside aria-label="Calls">
        <gantry-calls-panel .log=${this.#log} .labs=${this.#labs} .names=${names} .app=${this.#app?.id} .scenario=${scenario}></gantry-calls-panel>
      </aside>
    `;
  }

  #viewports(state: PageState): unknown {
    const { lab } = this;
    const app = this.#app;
    if (this.problem && !lab) return card('The lab could not be made', this.problem, () => void this.#make(state));
    if (!lab) return html`<div class="waiting" role="status">Making a site with data…</div>`;
    if (!app)
      return card('There is no app here', 'Start gantry dev with the folder of an app: one that has a gadget.json.');
    if (app.problem) return card(`${app.name} cannot be shown`, app.problem);
    const personas = [state.scenario.persona ?? lab.personas[0]?.id ?? nobody, ...(state.beside ? [state.beside] : [])];
    return html`
      ${this.problem ? html`<p class="notice" role="alert">${this.problem}</p>` : nothing}
      <gantry-build-card .problem=${this.builds.get(app.id)}></gantry-build-card>
      <div class="viewports" @gantry-width=${this.#resize}>
        ${repeat(
          personas,
          (_, index) => index,
          (persona) => html`
            <section class="seat" aria-label="As ${nameOf(lab, persona)} sees it">
              <h2>${nameOf(lab, persona)} <span>${lab.personas.find(({ id }) => id === persona)?.about}</span></h2>
              <gantry-viewport .lab=${lab} .scenario=${state.scenario} .app=${app.id} .persona=${persona} .report=${this.#frames?.report}></gantry-viewport>
            </section>
          `,
        )}
      </div>
    `;
  }

  #go(event: MouseEvent, app: string): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the link opens another tab or window
    event.preventDefault();
    this.address.set({ app: app === this.lab?.apps[0]?.id ? null : app, view: null, 'params.': null });
  }

  #resize({ detail: { width } }: CustomEvent<WidthChange>): void {
    this.address.set({ width: width === undefined ? null : String(width) });
  }

  #toggleCalls(): void {
    this.isListed = !this.isListed;
    remember('calls', this.isListed ? 'open' : 'closed');
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(location.href);
    this.isCopied = true;
    setTimeout(() => {
      this.isCopied = false;
    }, copiedMs);
  }
}
customElements.define('gantry-dev-host', GantryDevHost);

const lost = html`
  <div class="lost" role="alert">
    <b>gantry dev has stopped.</b> Start it again: this page comes back by itself.
  </div>
`;

function card(title: string, text: string, retry?: () => void): unknown {
  return html`
    <div class="empty" role="alert">
      <h2>${title}</h2>
      <p>${text}</p>
      ${retry ? html`<button type="button" class="button" @click=${retry}>${icons.reload} Try again</button>` : nothing}
    </div>
  `;
}

function nameOf(lab: LabAnswer, persona: string): string {
  return persona === nobody ? 'Signed out' : (lab.personas.find(({ id }) => id === persona)?.name ?? persona);
}
