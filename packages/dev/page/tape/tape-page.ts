import type { TapeAnswer } from '@gantry/dev/protocol';
import { html, type PropertyDeclarations } from 'lit';
import { icons, mark } from '../icons.ts';
import { PageElement } from '../page-element.ts';
import { fetchOpenedTape } from '../server.ts';
import '../calls/call-list.ts';
import { createRowLog, type RowLog } from '../calls/row-log.ts';
import { tapeFacts } from './tape-facts.ts';

/** Lab of entries of a tape, as the server names it. */
export const tapeLabs: ReadonlySet<string> = new Set(['tape']);

/** Puts the entries of a tape into rows. */
export function rowsOfTape({ lines }: TapeAnswer): RowLog {
  const log = createRowLog();
  for (const { entry, explanation } of lines) log.add(entry, explanation);
  return log;
}

/**
 * The page of `gantry open`: the calls of one tape.
 *
 * @element gantry-tape-page
 */
export class GantryTapePage extends PageElement {
  static override properties: PropertyDeclarations = { tape: { state: true }, problem: { state: true } };
  declare tape: { readonly answer: TapeAnswer; readonly log: RowLog } | undefined;
  declare problem: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    fetchOpenedTape().then(
      (answer) => {
        this.tape = { answer, log: rowsOfTape(answer) };
        document.title = `${answer.name ?? 'Tape'} – gantry`;
      },
      (error: Error) => {
        this.problem = error.message;
      },
    );
  }

  protected override render(): unknown {
    const { tape, problem } = this;
    return html`
      <header class="top"><h1>${mark} <span>gantry <b>tape</b></span></h1></header>
      ${
        tape
          ? html`<main>
              ${tapeFacts(tape.answer)}
              <gantry-call-list .log=${tape.log} .labs=${tapeLabs} .isTape=${true}></gantry-call-list>
            </main>`
          : html`<div class="empty" role=${problem ? 'alert' : 'status'}>
              <h2>${problem ? 'There is no tape' : 'Reading the tape…'}</h2>
              <p>${problem}</p>
              ${problem ? html`<button type="button" class="button" @click=${() => location.reload()}>${icons.reload} Try again</button>` : ''}
            </div>`
      }
    `;
  }
}
customElements.define('gantry-tape-page', GantryTapePage);
