import type { AppFacts, LabAnswer, Persona } from '@gantry/dev/protocol';
import { nobody } from '@gantry/lab/page';
import { languages } from '@gantry/wire';
import { html, nothing, type PropertyDeclarations } from 'lit';
import type { AddressPatch, PageState } from './address.ts';
import { type Choice, segmentControl, selectControl, textControl } from './controls.ts';
import { icons } from './icons.ts';
import { PageElement } from './page-element.ts';
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
// Those of the container's texts, and others that apps should stand.
const locales = [...languages, 'en-GB', 'es', 'pt-BR', 'ar', 'he', 'ja', 'zh-Hans'];
const timeZones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'];

/**
 * Controls of a scenario: the most used ones in a line, the rest in a drawer that stays as it was
 * left.
 *
 * @element gantry-scenario-bar
 * @fires {CustomEvent<AddressPatch>} gantry-set - A control was used; values are those of the
 * address.
 */
export class GantryScenarioBar extends PageElement {
  static override properties: PropertyDeclarations = {
    state: { attribute: false },
    lab: { attribute: false },
    app: { attribute: false },
    isOpen: { state: true },
  };
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
        ${selectControl({ ...this.#of('view'), label: 'View', value: scenario.view ?? 'home', choices: (this.app?.views ?? []).map(same) })}
        ${selectControl({ ...this.#of('network'), label: 'Network', value: scenario.network ?? 'fast', choices: networks })}
        ${segmentControl({ ...this.#of('width'), label: 'Size', value: String(scenario.width ?? ''), choices: sizes })}
        ${segmentControl({ ...this.#of('theme'), label: 'Theme', value: scenario.theme ?? '', choices: themes })}
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
          ...this.#of('persona'),
          ...{ label: 'Persona', value, choices },
          set: (name, id) => this.#set(name, id === personas[0]?.id ? '' : id),
        })}
      </div>
      <div class="persona">
        ${selectControl({
          ...this.#of('beside'),
          ...{ label: 'Beside', value: beside ?? '', choices: [['', 'No one'], ...choices] },
        })}
      </div>
    `;
  }

  #drawer(): unknown {
    const { scenario } = this.state;
    const { locale = '', timeZone = '', interval, permissions = 'all', world = 'pleasant' } = scenario;
    const members = this.lab?.personas.map(named) ?? [];
    const permissionChoices: Choice[] = [
      ['all', 'All allowed'],
      ['none', 'None yet'],
      ...(this.app?.permissions ?? []).map((name): Choice => [`without:${name}`, `Without ${name}`]),
    ];
    return html`
      <fieldset>
        <legend>World</legend>
        ${textControl({ ...this.#of('world'), label: 'World, or a file', value: world, suggestions: this.lab?.worlds ?? [], hint: 'pleasant' })}
        ${selectControl({ ...this.#of('owner'), label: 'Owner of the page', value: scenario.owner ?? '', choices: [['', 'The persona'], ...members] })}
        ${selectControl({ ...this.#of('permissions'), label: 'Permissions', value: permissions, choices: permissionChoices })}
      </fieldset>
      <fieldset>
        <legend>Language</legend>
        ${textControl({ ...this.#of('locale'), label: 'Locale', value: locale, suggestions: locales, hint: 'the browser’s' })}
        ${selectControl({
          ...{ ...this.#of('direction'), label: 'Direction', value: scenario.direction ?? '' },
          choices: [
            ['', 'The page’s'],
            ['ltr', 'Left to right'],
            ['rtl', 'Right to left'],
          ],
        })}
        ${textControl({ ...this.#of('timeZone'), label: 'Time zone', value: timeZone, suggestions: timeZones, hint: 'the browser’s' })}
      </fieldset>
      <fieldset>
        <legend>Look</legend>
        ${selectControl({
          ...{ ...this.#of('contrast'), label: 'Contrast', value: scenario.contrast ?? '' },
          choices: [
            ['', 'The browser’s'],
            ['normal', 'Normal'],
            ['more', 'More'],
          ],
        })}
        ${selectControl({
          ...{ ...this.#of('motion'), label: 'Motion', value: scenario.motion ?? '' },
          choices: [
            ['', 'The browser’s'],
            ['full', 'Full'],
            ['reduce', 'Reduced'],
          ],
        })}
        ${textControl({ ...this.#of('width'), label: 'Width in pixels', value: String(scenario.width ?? ''), hint: 'full', mode: 'numeric' })}
      </fieldset>
      <fieldset>
        <legend>Site</legend>
        ${selectControl({
          ...{ ...this.#of('api'), label: 'API version', value: scenario.api ?? '1.2' },
          choices: ['1.2', '0.9.3'].map(same),
        })}
        ${selectControl({
          ...{ ...this.#of('albums'), label: 'Albums', value: String(scenario.albums ?? true) },
          choices: [
            ['true', 'With albums'],
            ['false', 'Without'],
          ],
        })}
        ${textControl({ ...this.#of('interval'), label: 'Seconds between posts', value: String(interval ?? ''), hint: 'the site’s', mode: 'numeric' })}
      </fieldset>
    `;
  }

  #of(name: string) {
    return { name, set: (changed: string, value: string) => this.#set(changed, value) };
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
