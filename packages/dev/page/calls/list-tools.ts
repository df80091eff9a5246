import { html, nothing } from 'lit';
import { icons } from '../icons.ts';

/** Actions of the list. Absent ones have no button. */
export interface ListTools {
  readonly search: string;
  readonly isPaused: boolean;
  onSearch(event: Event): void;
  onSearchKey(event: KeyboardEvent): void;
  pause?: (() => void) | undefined;
  copy(): void;
  clear?: (() => void) | undefined;
  openTape?: ((file: Blob) => void) | undefined;
  saveTape?: (() => void) | undefined;
}

/** Renders search and buttons above the list. */
export function listTools(tools: ListTools): unknown {
  const { search, isPaused, openTape, saveTape, pause, clear } = tools;
  return html`
    <div class="tools">
      <input
        type="search"
        placeholder="Search  /"
        aria-label="Search the calls"
        autocomplete="off"
        spellcheck="false"
        .value=${search}
        @input=${tools.onSearch}
        @keydown=${tools.onSearchKey}
      />
      ${pause ? button('Pause', isPaused ? icons.play : icons.pause, pause, isPaused) : nothing}
      ${button('Copy all as JSON', icons.copy, tools.copy)}
      ${openTape ? button('Open a tape', icons.open, () => chooseFile(openTape)) : nothing}
      ${saveTape ? button('Save as tape', icons.save, saveTape) : nothing}
      ${clear ? button('Clear', icons.trash, clear) : nothing}
    </div>
  `;
}

function button(label: string, icon: unknown, press: () => void, isPressed?: boolean): unknown {
  return html`
    <button type="button" class="icon-button" aria-pressed=${isPressed ?? nothing} aria-label=${label} title=${label} @click=${press}>
      ${icon}
    </button>
  `;
}

function chooseFile(take: (file: Blob) => void): void {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.tape,.jsonl,.ndjson,.json' });
  input.addEventListener('change', () => input.files?.[0] && take(input.files[0]));
  input.click();
}
