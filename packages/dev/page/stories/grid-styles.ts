import { css } from 'lit';

const shared = css`
  :host {
    --_paper: var(--canvas, light-dark(#f6f7f8, #10161a));
    --_card: var(--card, light-dark(#ffffff, #182026));
    --_ink: var(--ink, light-dark(#16222a, #e4ebee));
    --_muted: var(--muted, light-dark(#51616a, #a0b0b8));
    --_line: var(--line, light-dark(#d8dee2, #2b3740));
    --_edge: var(--edge, light-dark(#7c8b93, #6c7d86));
    --_accent: var(--accent, light-dark(#0b6170, #74cbd5));
    --_on-accent: var(--on-accent, light-dark(#ffffff, #06262b));
    --_alert: var(--bad, light-dark(#8c2f16, #f3a587));
    --_alert-paper: var(--bad-wash, light-dark(#fdf0ec, #2c1c17));
    color: var(--_ink);
    font: 0.9375rem / 1.5 var(--sans, system-ui, sans-serif);
    overflow-wrap: anywhere;
  }
  * {
    box-sizing: border-box;
  }
  a {
    color: var(--_accent);
  }
  code {
    font: 0.8125rem / 1.5 ui-monospace, SFMono-Regular, Consolas, monospace;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .problem {
    margin: 0 0 1rem;
    padding: 0.625rem 0.875rem;
    border-inline-start: 3px solid var(--_alert);
    border-radius: 0.25rem;
    background: var(--_alert-paper);
    color: var(--_ink);
  }
  .problem :is(strong, code) {
    color: var(--_alert);
  }
`;

export const gridStyles = css`
  ${shared}
  :host {
    display: block;
    min-block-size: 100vh;
    background: var(--_paper);
  }
  .top {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    justify-content: space-between;
    gap: 0.75rem 1.5rem;
    padding: 0.75rem clamp(0.75rem, 3vw, 2rem);
    border-block-end: 1px solid var(--_line);
    background: var(--_card);
  }
  @media (max-width: 40rem), (max-height: 30rem) {
    .top {
      position: static;
    }
  }
  .names {
    display: flex;
    align-items: baseline;
    gap: 1rem;
  }
  h1 {
    margin: 0;
    font-size: 1.25rem;
    line-height: 1.3;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.75rem 1.25rem;
    min-inline-size: 0;
  }
  .find span,
  legend {
    display: block;
    padding: 0;
    color: var(--_muted);
    font-size: 0.75rem;
    line-height: 1.5;
  }
  input[type="search"] {
    inline-size: 14rem;
    max-inline-size: 100%;
    block-size: 2.25rem;
    padding: 0 0.625rem;
    border: 1px solid var(--_edge);
    border-radius: 0.375rem;
    background: var(--_card);
    color: var(--_ink);
    font: inherit;
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  fieldset label {
    position: relative;
    display: flex;
  }
  fieldset input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  fieldset span {
    min-block-size: 2.25rem;
    padding: 0.3125rem 0.625rem;
    border: 1px solid var(--_line);
    border-inline-start-width: 0;
    background: var(--_card);
  }
  fieldset label:first-of-type span {
    border-inline-start-width: 1px;
    border-start-start-radius: 0.375rem;
    border-end-start-radius: 0.375rem;
  }
  fieldset label:last-of-type span {
    border-start-end-radius: 0.375rem;
    border-end-end-radius: 0.375rem;
  }
  fieldset input:checked + span {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }
  fieldset input:focus-visible + span {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  main {
    padding: 1rem clamp(0.75rem, 3vw, 2rem) 3rem;
  }
  .hint {
    margin: 0;
    min-block-size: 1.5rem;
    color: var(--_muted);
  }
  h2 {
    margin: 0.5rem 0 0.75rem;
    font-size: 1.0625rem;
  }
  h2 span {
    color: var(--_muted);
    font-weight: 400;
  }
  .grid {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 1rem;
    margin-block-end: 2rem;
  }
  .first {
    max-inline-size: 46rem;
    margin: 2rem auto;
  }
  figure {
    position: relative;
    margin: 1rem 0;
    border: 1px solid var(--_line);
    border-radius: 0.5rem;
    background: var(--_card);
  }
  figcaption {
    padding: 0.5rem 0.875rem;
    padding-inline-end: 5rem;
    border-block-end: 1px solid var(--_line);
    color: var(--_muted);
  }
  pre {
    overflow-x: auto;
    margin: 0;
    padding: 0.875rem;
  }
  pre code {
    overflow-wrap: normal;
  }
  figure button {
    position: absolute;
    inset-block-start: 0.25rem;
    inset-inline-end: 0.375rem;
    min-block-size: 2rem;
    padding: 0 0.75rem;
    border: 0;
    border-radius: 0.375rem;
    background: var(--_accent);
    color: var(--_on-accent);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  .said {
    position: fixed;
    inset-block-end: 1rem;
    inset-inline-end: 1rem;
    margin: 0;
  }
`;

export const cardStyles = css`
  ${shared}
  :host {
    display: block;
    max-inline-size: 100%;
  }
  article {
    overflow: clip;
    border: 1px solid var(--_line);
    border-radius: 0.5rem;
    background: var(--_card);
  }
  header {
    padding: 0.625rem 0.875rem;
    border-block-end: 1px solid var(--_line);
    contain: inline-size; /* a long title wraps instead of widening the card */
  }
  h3 {
    margin: 0;
    font-size: 0.9375rem;
  }
  header p {
    margin: 0;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .problem {
    margin: 0.75rem;
    contain: inline-size;
  }
  .scroll {
    overflow-x: auto;
  }
  .place {
    background: var(--_card);
    color: var(--_ink);
  }
  .place:empty {
    min-block-size: 8rem;
  }
`;
