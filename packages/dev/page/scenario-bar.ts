import type { AppFacts, LabAnswer, Persona } from '@gantry/dev/protocol';
import { nobody } from '@gantry/lab/page';
import type { Scenario } from '@gantry/lab/scenario';
import { languages } from '@gantry/wire/texts';
import { html, nothing, type PropertyDeclarations } from 'lit';
import type { AddressPatch, PageState } from './address.ts';
import { type Choice, segmentControl, selectControl, textControl } from './controls.ts';
import { icons } from './icons.ts';
import { inputs, ownState, PageElement } from './page-element.ts';
import { recall, remember } from './remember.ts';
import './lab-clock.ts';

const sizes: readonly Choice[] = [
  ['300', '300'],
  ['360', '360'],
  ['600', '600'],
  ['960', '960'],
  ['', 'Full'],
];
const themes: readonly Choice[] = [
  ['', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];
const networks: readonly Choice[] = [
  ['fast', 'Fast'],
  ['slow', 'Slow'],
  ['fail-once', 'Fails once'],
  ['offline', 'Offline'],
];
const directions: readonly Choice[] = [
  ['', 'The page’s'],
  ['ltr', 'Left to right'],
  ['rtl', 'Right to left'],
];
const contrasts: readonly Choice[] = [
  ['', 'The browser’s'],
  ['normal', 'Normal'],
  ['more', 'More'],
];
const motions: readonly Choice[] = [
  ['', 'The browser’s'],
  ['full', 'Full'],
  ['reduce', 'Reduced'],
];
const albums: readonly Choice[] = [
  ['true', 'With albums'],
  ['false', 'Without'],
];
// Languages of the container, and others that apps should support.
const locales = [...languages, 'en-GB', 'es', 'pt-BR', 'ar', 'he', 'ja', 'zh-Hans'];
const timeZones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'];

/**
 * Controls of a scenario: the most used ones in a line, the rest in a drawer that stays.
 *
 * @element gantry-scenario-bar
 * @fires {CustomEvent<AddressPatch>} gantry-set - A control was used; values are those of the
 * address.
 */
export class GantryScenarioBar extends PageElement {
  static override properties: PropertyDeclarations = { ...inputs('state', 'lab', 'app'), ...ownState('isOpen') };
  declare state: PageState;
  declare lab: LabAnswer | undefined;
  declare app: AppFacts | undefined;
  declare isOpen: boolean;

  constructor() {
    super();
    this.isOpen = recall('drawer') === 'open';
  }

  protected override render(): unknown {
    const { scenario } = this.state;
    return html`
      <section class="bar" aria-label="Scenario">
        ${this.#persona()}
        ${selectControl({ ...this.#of('view', 'home'), label: 'View', choices: (this.app?.views ?? []).map(same) })}
        ${selectControl({ ...this.#of('network', 'fast'), label: 'Network', choices: networks })}
        ${segmentControl({ ...this.#of('width'), label: 'Size', choices: sizes })}
        ${segmentControl({ ...this.#of('theme'), label: 'Theme', choices: themes })}
        <div class="control" role="group" aria-label="Clock of the lab">
          <span>Clock</span>
          <div class="joined">
            <gantry-lab-clock .seconds=${scenario.clock ?? 0} .timeZone=${scenario.timeZone}></gantry-lab-clock>
            <button type="button" @click=${() => this.#set('clock', String((scenario.clock ?? 0) + 30))}>+30&#8239;s</button>
          </div>
        </div>
        <div class="control more">
          <button type="button" class="button" aria-expanded=${this.isOpen} aria-controls="scenario-drawer" @click=${this.#toggle}>
            ${icons.sliders} More
          </button>
        </div>
      </section>
      <section class="drawer" id="scenario-drawer" aria-label="More of the scenario" ?hidden=${!this.isOpen}>
        ${this.isOpen ? this.#drawer() : nothing}
      </section>
    `;
  }

  #persona(): unknown {
    const { scenario, beside } = this.state;
    const personas = this.lab?.personas ?? [];
    const value = scenario.persona ?? personas[0]?.id ?? '';
    const about = personas.find(({ id }) => id === value)?.about;
    const choices: Choice[] = [...personas.map(named), [nobody, 'Signed out']];
    return html`
      <div class="persona" title=${about ?? nothing}>
        ${selectControl({
          name: 'persona',
          label: 'Persona',
          value,
          choices,
          set: (name, id) => this.#set(name, id === personas[0]?.id ? '' : id),
        })}
      </div>
      <div class="persona">
        ${selectControl({
          name: 'beside',
          label: 'Beside',
          value: beside ?? '',
          choices: [['', 'No one'], ...choices],
          set: (name, id) => this.#set(name, id),
        })}
      </div>
    `;
  }

  #drawer(): unknown {
    const members = this.lab?.personas.map(named) ?? [];
    const permissions: Choice[] = [
      ['all', 'All allowed'],
      ['none', 'None yet'],
      ...(this.app?.permissions ?? []).map((name): Choice => [`without:${name}`, `Without ${name}`]),
    ];
    return html`
      <fieldset>
        <legend>World</legend>
        ${textControl({ ...this.#of('world', 'friendly'), label: 'World, or a file', suggestions: this.lab?.worlds ?? [], hint: 'friendly' })}
        ${selectControl({ ...this.#of('owner'), label: 'Owner of the page', choices: [['', 'The persona'], ...members] })}
        ${selectControl({ ...this.#of('permissions', 'all'), label: 'Permissions', choices: permissions })}
      </fieldset>
      <fieldset>
        <legend>Language</legend>
        ${textControl({ ...this.#of('locale'), label: 'Locale', suggestions: locales, hint: 'the browser’s' })}
        ${selectControl({ ...this.#of('direction'), label: 'Direction', choices: directions })}
        ${textControl({ ...this.#of('timeZone'), label: 'Time zone', suggestions: timeZones, hint: 'the browser’s' })}
      </fieldset>
      <fieldset>
        <legend>Look</legend>
        ${selectControl({ ...this.#of('contrast'), label: 'Contrast', choices: contrasts })}
        ${selectControl({ ...this.#of('motion'), label: 'Motion', choices: motions })}
        ${textControl({ ...this.#of('width'), label: 'Width in pixels', hint: 'full', mode: 'numeric' })}
      </fieldset>
      <fieldset>
        <legend>Site</legend>
        ${selectControl({ ...this.#of('api', '1.2'), label: 'API version', choices: ['1.2', '0.9.3'].map(same) })}
        ${selectControl({ ...this.#of('albums', 'true'), label: 'Albums', choices: albums })}
        ${textControl({ ...this.#of('interval'), label: 'Seconds between posts', hint: 'the site’s', mode: 'numeric' })}
      </fieldset>
    `;
  }

  /** Binds a control to a member of the scenario. */
  #of(name: Exclude<keyof Scenario, 'params'>, usual = '') {
    const value = String(this.state.scenario[name] ?? usual);
    return { name, value, set: (changed: string, next: string) => this.#set(changed, next) };
  }

  #set(name: string, value: string): void {
    const detail: AddressPatch = { [name]: value };
    this.dispatchEvent(new CustomEvent('gantry-set', { detail, bubbles: true }));
  }

  #toggle(): void {
    this.isOpen = !this.isOpen;
    remember('drawer', this.isOpen ? 'open' : 'closed');
  }
}
customElements.define('gantry-scenario-bar', GantryScenarioBar);

function named({ id, name, about }: Persona): Choice {
  return [id, about ? `${name} – ${about}` : name];
}

function same(value: string): Choice {
  return [value, value];
}
