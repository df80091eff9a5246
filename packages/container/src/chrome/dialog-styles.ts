import { css } from './css.ts';

export const dialogStyles = css`
  :host {
  }
  dialog {
    box-sizing: border-box;
    inline-size: min(28rem, 100vw - 1.5rem);
    max-block-size: min(40rem, 100dvb - 1.5rem);
    margin: auto;
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) + 4px);
    background: var(--_surface);
    color: var(--_ink);
    box-shadow: 0 1.5rem 4rem rgb(0 0 0 / 0.28);
    font: 400 1rem / 1.5 system-ui, sans-serif;
    text-align: start;
    overflow-wrap: anywhere;
    overscroll-behavior: contain;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
    animation: appear 0.18s ease-out;
  }
  dialog::backdrop {
    background: rgb(10 14 20 / 0.5);
  }
  .choice > * {
    unicode-bidi: plaintext;
  }
  .asker,
  h2 {
    margin: 0;
    padding: 1.125rem 1.25rem 0;
  }
  .asker {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  h2 {
    font-size: 1.1875rem;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: balance;
  }
  .asker + h2 {
    padding-block-start: 0.125rem;
  }
  .content {
    flex: 1;
    min-block-size: 0;
    padding: 0.5rem 1.25rem 0.25rem;
    overflow: auto;
  }
  .content p {
    margin: 0 0 0.75rem;
    white-space: pre-line;
  }
  .content ul {
    margin: 0 0 0.75rem;
    padding-inline-start: 1.25rem;
  }
  .content li,
  .choice {
    margin-block: 0.25rem;
  }
  .choice {
    display: flex;
    gap: 0.625rem;
    align-items: start;
    padding-block: 0.375rem;
  }
  .choice > input {
    flex: none;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    margin: 0.125rem 0 0;
    accent-color: var(--_accent);
  }
  .actions {
    padding: 0.75rem 1.25rem 1.25rem;
  }
  .action {
    transition: opacity 0.15s;
  }
  :focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  .content:focus-visible {
    outline-offset: -3px; /* it scrolls, and is cut off at its edges */
  }
  .field {
    display: block;
    margin-block: 0.375rem 0.25rem;
    resize: none;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 2.75rem;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) / 2);
    background: color-mix(in srgb, var(--_muted) 8%, transparent);
    color: inherit;
    font: inherit;
  }
  .quiet {
    color: var(--_muted);
    font-size: 0.9375rem;
  }
  .host {
    display: block;
    font-size: 1.125rem;
    font-weight: 650;
  }
  @media (prefers-reduced-motion: reduce) {
    dialog[open],
    .action {
      animation: none;
      transition: none;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
      translate: 0 0.5rem;
    }
  }
`;
