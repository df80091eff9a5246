import type { LabAnswer } from '@gantry/dev/protocol';
import { html, nothing } from 'lit';
import type { AddressPatch, PageState } from './address.ts';
import { icons } from './icons.ts';

const titles: Readonly<Record<string, string>> = {
  timeZone: 'time zone',
  api: 'API',
  interval: 'seconds between posts',
  beside: 'beside',
};

/** Renders the differences from the default, each removable, and the problems of the address. */
export function scenarioChips(options: {
  readonly state: PageState;
  readonly lab: LabAnswer | undefined;
  readonly set: (patch: AddressPatch) => void;
  readonly reset: () => void;
}): unknown {
  const { state, lab, set, reset } = options;
  const { params = {}, ...rest } = state.scenario;
  const values: [name: string, value: string][] = [
    ...Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
    ...Object.entries(params).map(([name, value]): [string, string] => [`params.${name}`, value]),
    ...(state.beside ? [['beside', state.beside] as [string, string]] : []),
  ];
  if (values.length === 0 && state.problems.length === 0) return nothing;
  const nameOf = (id: string) => lab?.personas.find((persona) => persona.id === id)?.name ?? id;
  const textOf = (name: string, value: string): string => {
    if (name === 'persona' || name === 'owner' || name === 'beside') return nameOf(value);
    if (name === 'width') return `${value} px`;
    return name === 'clock' ? `+${value} s` : value;
  };
  return html`
    <section class="chips" aria-label="What differs from the default">
      ${values.map(
        ([name, value]) => html`
          <span class="chip">
            <span>${titles[name] ?? name} <b>${textOf(name, value)}</b></span>
            <button type="button" aria-label="Remove ${titles[name] ?? name}" @click=${() => set({ [name]: null })}>${icons.close}</button>
          </span>
        `,
      )}
      ${state.problems.map(
        ({ name, value, message }) => html`
          <span class="chip problem" role="alert">
            <span>${message} The address has <b>${value.slice(0, 60)}</b>.</span>
            <button type="button" aria-label="Remove ${name}" @click=${() => set({ [name]: null })}>${icons.close}</button>
          </span>
        `,
      )}
      <button type="button" class="link" @click=${reset}>Reset</button>
    </section>
  `;
}
