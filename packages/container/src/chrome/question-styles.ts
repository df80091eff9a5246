import { css } from './css.ts';

/** Questions, notices and cards, with their buttons, which have the class `action`. */
export const questionStyles = css`
  .card,
  .consent,
  .notice,
  [popover] {
    box-sizing: border-box;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_ink);
    overflow-wrap: anywhere;
  }
  /* English keeps its own order on a page that is written from right to left, and stands at that page's side. */
  strong,
  p,
  li,
  dialog h2,
  .notice > span,
  .preview-mark > span,
  [popover] .quiet {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.625rem;
  }
  .action {
    min-block-size: 2.75rem;
    padding: 0.375rem 1.125rem;
    border: 1px solid color-mix(in srgb, var(--_muted) 45%, transparent);
    border-radius: 1.375rem;
    background: none;
    color: var(--_ink);
    font: inherit;
    font-weight: 600;
    unicode-bidi: plaintext;
    cursor: pointer;
  }
  .action:hover {
    background: color-mix(in srgb, var(--_muted) 14%, transparent);
  }
  .primary {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .primary:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_ink));
  }
  button[aria-disabled='true'],
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  @media (max-width: 30rem) {
    .actions > .action {
      flex: 1 1 auto;
    }
  }
  @media (forced-colors: active) {
    .primary {
      border-color: ButtonText;
    }
    button[aria-disabled='true'],
    button:disabled {
      border-color: GrayText;
      color: GrayText;
      opacity: 1;
    }
  }
`;
