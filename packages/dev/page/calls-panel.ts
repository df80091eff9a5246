import type { TapeAnswer } from '@gantry/dev/protocol';
import type { Scenario } from '@gantry/lab/scenario';
import { html, nothing, type PropertyDeclarations } from 'lit';
import { inputs, ownState, PageElement } from './page-element.ts';
import { readTapeOf } from './server.ts';
import { saveFile, tapeOfRows } from './tape/save-tape.ts';
import { tapeFacts } from './tape/tape-facts.ts';
import { rowsOfTape, tapeLabs } from './tape/tape-page.ts';
import './calls/call-list.ts';
import type { Row, RowLog } from './calls/row-log.ts';

/**
 * Calls of the gadgets on the page, or of a tape: chosen as a file or dropped.
 *
 * @element gantry-calls-panel
 */
export class GantryCallsPanel extends PageElement {
  static override properties: PropertyDeclarations = {
    ...inputs('log', 'labs', 'names', 'app', 'scenario'),
    ...ownState('tape', 'problem', 'isTarget'),
  };
  declare log: RowLog;
  declare labs: ReadonlySet<string>;
  declare names: ReadonlyMap<string, string>;
  /** Id of the app that is shown. */
  declare app: string | undefined;
  declare scenario: Scenario;
  declare tape: { readonly answer: TapeAnswer; readonly log: RowLog } | undefined;
  declare problem: string | undefined;
  /** A file is dragged over the list. */
  declare isTarget: boolean;

  constructor() {
    super();
    this.isTarget = false;
    this.addEventListener('dragover', (event) => this.#onDrag(event, true));
    this.addEventListener('dragleave', (event) => this.#onDrag(event, false));
    this.addEventListener('drop', (event) => this.#onDrop(event));
  }

  protected override render(): unknown {
    const { tape, problem } = this;
    return html`
      ${problem ? html`<p class="notice" role="alert">${problem}</p>` : nothing}
      ${tape ? tapeFacts(tape.answer, { close: () => this.#close() }) : nothing}
      <gantry-call-list
        class=${this.isTarget ? 'target' : ''}
        .log=${tape?.log ?? this.log}
        .labs=${tape ? tapeLabs : this.labs}
        .names=${tape ? noNames : this.names}
        .timeZone=${this.scenario.timeZone}
        .isTape=${tape !== undefined}
        .openTape=${(file: Blob) => void this.#open(file)}
        .saveTape=${tape ? undefined : (rows: readonly Row[]) => this.#save(rows)}
      ></gantry-call-list>
    `;
  }

  async #open(file: Blob): Promise<void> {
    try {
      const answer = await readTapeOf(file);
      this.tape = { answer, log: rowsOfTape(answer) };
      this.problem = undefined;
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  #close(): void {
    this.tape = undefined;
    this.problem = undefined;
  }

  #save(rows: readonly Row[]): void {
    const { app, scenario } = this;
    if (app !== undefined) saveFile(`${app}.tape`, tapeOfRows(rows, { app, scenario }));
  }

  #onDrag(event: DragEvent, isOver: boolean): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault(); // by default the browser navigates to the file
    this.isTarget = isOver;
  }

  #onDrop(event: DragEvent): void {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    this.isTarget = false;
    void this.#open(file);
  }
}
customElements.define('gantry-calls-panel', GantryCallsPanel);

const noNames: ReadonlyMap<string, string> = new Map();
