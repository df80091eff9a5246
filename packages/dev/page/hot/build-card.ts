import type { BuildProblem } from '@gantry/dev/protocol';
import { css, html, LitElement, nothing, type PropertyDeclarations } from 'lit';

/**
 * Shows the error of a build: message, place and source lines. It is in the page, since the frame
 * cannot render it.
 *
 * @element gantry-build-card
 * @prop problem - As the builder reported it; nothing is shown without one.
 */
export class GantryBuildCard extends LitElement {
  static override properties: PropertyDeclarations = {
    problem: { attribute: false },
    isCopied: { state: true },
  };
  static override styles = css`
    :host { display: block; }
    section {
      border: 1px solid light-dark(#e3b1ab, #6b2f2a);
      border-inline-start: 4px solid light-dark(#b3261e, #ff8a80);
      border-radius: 8px;
      padding: 0.75rem 1rem 1rem;
      background: light-dark(#fff8f7, #2a1715);
      color: light-dark(#3b0d09, #ffdad6);
      font: 0.9375rem / 1.5 system-ui, sans-serif;
      text-align: start;
    }
    h2 { margin: 0; font-size: 1rem; color: light-dark(#8c1d18, #ffb4ab); }
    p { margin: 0.25rem 0 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    .place { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; margin-block-start: 0.625rem; }
    code, pre { font: 0.8125rem / 1.55 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
    code { overflow-wrap: anywhere; }
    pre {
      margin: 0.625rem 0 0;
      padding: 0.5rem 0;
      overflow-x: auto;
      border-radius: 6px;
      background: light-dark(#fff, #1b0e0d);
      direction: ltr;
      tab-size: 2;
    }
    pre span { display: block; inline-size: max-content; min-inline-size: 100%; box-sizing: border-box; padding-inline: 0.75rem; }
    pre .here { background: light-dark(#ffe2de, #5c221d); font-weight: 600; }
    button {
      font: inherit;
      font-size: 0.8125rem;
      padding: 0.125rem 0.625rem;
      min-block-size: 1.75rem;
      border: 1px solid currentColor;
      border-radius: 6px;
      background: none;
      color: inherit;
      cursor: pointer;
    }
    button:focus-visible, pre:focus-visible { outline: 2px solid light-dark(#8c1d18, #ffb4ab); outline-offset: 2px; }
  `;
  declare problem: BuildProblem | undefined;
  declare isCopied: boolean;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('problem')) this.isCopied = false;
  }

  protected override render(): unknown {
    if (!this.problem) return nothing;
    const { message, frame } = this.problem;
    const place = placeOf(this.problem);
    return html`
      <section role="alert">
        <h2>The app could not be built</h2>
        <p>${message}</p>
        ${place === undefined ? nothing : this.#place(place)}
        ${frame === undefined ? nothing : html`<pre tabindex="0" aria-label="Source">${frame.split('\n').map(sourceLine)}</pre>`}
      </section>
    `;
  }

  #place(place: string): unknown {
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(place);
      this.isCopied = true;
    };
    return html`
      <div class="place">
        <code>${place}</code>
        <button type="button" @click=${copy}>${this.isCopied ? 'Copied' : 'Copy place'}</button>
      </div>
    `;
  }
}
customElements.define('gantry-build-card', GantryBuildCard);

function placeOf({ file, line, column }: BuildProblem): string | undefined {
  return file === undefined ? undefined : [file, line, column].filter((part) => part !== undefined).join(':');
}

function sourceLine(line: string): unknown {
  return html`<span class=${line.startsWith('>') ? 'here' : ''}>${line}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-build-card': GantryBuildCard;
  }
}
