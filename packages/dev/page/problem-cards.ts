import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { explanationOf } from './calls/call-detail.ts';
import { icons } from './icons.ts';
import type { Problem } from './problem-log.ts';

const mostAtOnce = 3;

/** Renders problems as cards, latest first. Texts of the app are rendered as text. */
export function problemCards(options: {
  readonly problems: readonly Problem[];
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly dismiss: (problem: Problem) => void;
}): unknown {
  const { problems, isOpen, open, dismiss } = options;
  if (problems.length === 0) return nothing;
  const visible = isOpen ? problems : problems.slice(-mostAtOnce);
  return html`
    <section class="problems" aria-label="Problems" aria-live="polite">
      ${repeat(
        visible.toReversed(),
        ({ key }) => key,
        (problem) => html`
          <article class="problem-card">
            ${explanationOf(problem.explanation)}
            ${problem.count > 1 ? html`<span class="times" title="${problem.count} times">×${problem.count}</span>` : nothing}
            <button type="button" class="icon-button" aria-label="Dismiss: ${problem.explanation.what}" @click=${() => dismiss(problem)}>
              ${icons.close}
            </button>
          </article>
        `,
      )}
      ${
        problems.length > visible.length
          ? html`<button type="button" class="link" @click=${open}>${problems.length - visible.length} more</button>`
          : nothing
      }
    </section>
  `;
}
