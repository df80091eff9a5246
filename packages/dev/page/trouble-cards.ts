import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { explanationOf } from './calls/call-detail.ts';
import { icons } from './icons.ts';
import type { Trouble } from './trouble-log.ts';

const mostAtOnce = 3;

/** Renders problems as cards, latest first. Texts of the app are rendered as text. */
export function troubleCards(options: {
  readonly troubles: readonly Trouble[];
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly dismiss: (trouble: Trouble) => void;
}): unknown {
  const { troubles, isOpen, open, dismiss } = options;
  if (troubles.length === 0) return nothing;
  const shown = isOpen ? troubles : troubles.slice(-mostAtOnce);
  return html`
    <section class="troubles" aria-label="Troubles" aria-live="polite">
      ${repeat(
        shown.toReversed(),
        ({ key }) => key,
        (trouble) => html`
          <article class="trouble">
            ${explanationOf(trouble.explanation)}
            ${trouble.count > 1 ? html`<span class="times" title="${trouble.count} times">×${trouble.count}</span>` : nothing}
            <button type="button" class="icon-button" aria-label="Dismiss: ${trouble.explanation.what}" @click=${() => dismiss(trouble)}>
              ${icons.close}
            </button>
          </article>
        `,
      )}
      ${
        troubles.length > shown.length
          ? html`<button type="button" class="link" @click=${open}>${troubles.length - shown.length} more</button>`
          : nothing
      }
    </section>
  `;
}
