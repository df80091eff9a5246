import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

export type Choice = readonly [value: string, text: string];

interface ControlOptions {
  readonly label: string;
  /** Name of the query parameter. */
  readonly name: string;
  /** As in the address; `''` when it is absent. */
  readonly value: string;
  readonly set: (name: string, value: string) => void;
}

/** Renders a select. An unknown value is listed as well. */
export function selectControl(options: ControlOptions & { readonly choices: readonly Choice[] }): unknown {
  const { label, name, value, choices, set } = options;
  const all = choices.some(([choice]) => choice === value) ? choices : [...choices, [value, value] as const];
  return html`
    <label class="control">
      <span>${label}</span>
      <select
        name=${name}
        .value=${live(value)}
        @change=${({ target }: Event) => set(name, (target as HTMLSelectElement).value)}
      >
        ${all.map(([choice, text]) => html`<option value=${choice} ?selected=${choice === value}>${text}</option>`)}
      </select>
    </label>
  `;
}

/** Renders radio buttons, so that arrow keys move within the group. */
export function segmentControl(options: ControlOptions & { readonly choices: readonly Choice[] }): unknown {
  const { label, name, value, choices, set } = options;
  return html`
    <fieldset class="control">
      <legend>${label}</legend>
      <div class="segments">
        ${choices.map(
          ([choice, text]) => html`
            <label>
              <input
                type="radio"
                name=${name}
                value=${choice}
                .checked=${live(choice === value)}
                @change=${() => set(name, choice)}
              />
              <span>${text}</span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

/** Renders a text field with suggestions, which applies on Enter and on blur. */
export function textControl(
  options: ControlOptions & {
    readonly suggestions?: readonly string[];
    readonly hint: string;
    readonly mode?: 'numeric';
  },
): unknown {
  const { label, name, value, suggestions = [], hint, mode, set } = options;
  const list = `choices-of-${name}`;
  return html`
    <label class="control">
      <span>${label}</span>
      <input
        name=${name}
        autocomplete="off"
        spellcheck="false"
        inputmode=${mode ?? nothing}
        placeholder=${hint}
        list=${suggestions.length > 0 ? list : nothing}
        .value=${live(value)}
        @change=${({ target }: Event) => set(name, (target as HTMLInputElement).value.trim())}
      />
      ${suggestions.length > 0 ? html`<datalist id=${list}>${suggestions.map((text) => html`<option value=${text}></option>`)}</datalist>` : nothing}
    </label>
  `;
}
