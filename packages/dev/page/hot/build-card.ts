import type { BuildProblem } from '@gantry/dev/protocol';
import { html, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { PageElement } from '../page-element.ts';

/**
 * Shows the error of a build: message, place and source lines. It is in the page, since the frame
 * cannot render it.
 *
 * @element gantry-build-card
 * @prop problem - Problem of the build. Absent: nothing is shown.
 */
export class GantryBuildCard extends PageElement {
  static override properties: PropertyDeclarations = { problem: { attribute: false }, isCopied: { state: true } };
  declare problem: BuildProblem | undefined;
  declare isCopied: boolean;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('problem')) this.isCopied = false;
  }

  protected override render(): unknown {
    if (!this.problem) return nothing;
    const { message, file, line, column, frame } = this.problem;
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    return html`
      <section class="explanation" role="alert">
        <h2>The app could not be built</h2>
        <p class="message">${message}</p>
        ${file === undefined ? nothing : html`<p><code>${place}</code> ${this.#copyButton(place)}</p>`}
        ${frame === undefined ? nothing : html`<pre tabindex="0" aria-label="Source">${frame.split('\n').map(sourceLine)}</pre>`}
      </section>
    `;
  }

  #copyButton(place: string): unknown {
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(place);
      this.isCopied = true;
    };
    return html`<button type="button" class="link" @click=${copy}>${this.isCopied ? 'Copied' : 'Copy place'}</button>`;
  }
}
customElements.define('gantry-build-card', GantryBuildCard);

function sourceLine(line: string): unknown {
  return html`<span class=${line.startsWith('>') ? 'here' : ''}>${line}</span>`;
}
