import { css } from '../chrome/css.ts';

/** Styles of a gadget's chrome, beside the gadget's own. */
export const chromeStyles = css`
  .options {
    flex: none;
    inline-size: 1.75rem;
    block-size: 1.75rem;
    padding: 0;
    border: 1px solid transparent;
    border-radius: 0.5rem;
    background: none;
    color: var(--_muted);
    font: 700 1.125rem / 1 system-ui, sans-serif;
    cursor: pointer;
  }
  .options:hover,
  .options[aria-expanded='true'] {
    background: color-mix(in srgb, var(--_muted) 16%, var(--_surface));
    color: var(--_ink);
  }
  /* Without a heading there is no place for it: it comes over the app's corner for who points there or tabs to it. */
  .bare {
    position: absolute;
    z-index: 1;
    inset-block-start: 0.375rem;
    inset-inline-end: 0.375rem;
    margin: 0;
    opacity: 0;
    pointer-events: none;
    transition: opacity 0.15s;
  }
  .bare .options {
    border-color: var(--_line);
    background: var(--_surface);
  }
  :host(:hover) .bare,
  .bare:focus-within {
    opacity: 1;
    pointer-events: auto;
  }
  .skip,
  .quiet {
    min-block-size: 2.25rem;
    border-radius: calc(var(--_radius) - 4px);
    color: var(--_accent);
    font: inherit;
    font-size: 0.9375rem;
    font-weight: 600;
    unicode-bidi: plaintext;
    cursor: pointer;
  }
  .skip {
    position: absolute;
    z-index: 2;
    inset-inline-start: 0.375rem;
    margin-block-start: 0.375rem; /* over the app, below its heading */
    max-inline-size: calc(100% - 0.75rem);
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_line);
    background: var(--_surface);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .skip:not(:focus) {
    inline-size: 1px;
    block-size: 1px;
    min-block-size: 0;
    padding: 0;
    clip-path: inset(50%);
  }
  .end {
    inset-block: auto 0.375rem;
    box-sizing: border-box;
    color: var(--_muted);
    cursor: default;
  }
  .skip:focus {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  .card {
    display: grid;
    justify-items: center;
    gap: 0.25rem;
    padding: 1.75rem 1.25rem;
    text-align: center;
  }
  svg {
    inline-size: 3rem;
    margin-block-end: 0.5rem;
    fill: none;
    stroke: var(--_muted);
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  strong {
    font-weight: 650;
  }
  p {
    max-inline-size: 36ch;
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375rem;
    text-wrap: balance;
  }
  .versions {
    margin-block-start: 0.5rem;
    font-size: 0.8125rem;
  }
  .card > button {
    margin-block-start: 1rem;
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    margin-block-end: 0.5rem;
    padding-block: 0.375rem;
    padding-inline: 1rem 0.5rem;
    font-size: 0.9375rem;
  }
  .notice > span {
    flex: 1 1 12rem;
  }
  .notice > div {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }
  /* Around the frame, and joined to it: what an app draws is inside. */
  .preview-mark {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: 0 0.75rem;
    padding-block: 0.25rem;
    padding-inline: 1rem 0.5rem;
    border: 2px solid var(--_accent);
    border-block-end: 0;
    border-start-start-radius: var(--_radius);
    border-start-end-radius: var(--_radius);
    background: color-mix(in srgb, var(--_accent) 12%, var(--_surface));
    color: var(--_ink);
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }
  .preview-mark > span {
    flex: 1 1 8rem;
  }
  .preview-mark > span > * {
    display: inline-block; /* whole to the next line */
  }
  .preview > .pane {
    border: 2px solid var(--_accent);
    border-start-start-radius: 0;
    border-start-end-radius: 0;
  }
  .quiet {
    padding: 0 0.75rem;
    border: 1px solid transparent;
    background: none;
  }
  .quiet:hover {
    background: color-mix(in srgb, var(--_accent) 12%, transparent);
  }
  [popover] {
    min-inline-size: 9rem;
    padding: 0.25rem;
    box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.18);
    font: inherit;
  }
  [popover]:popover-open {
    display: grid;
    align-content: start; /* WebKit makes a grid as high as the view otherwise */
  }
  [popover] .quiet {
    color: var(--_ink);
    font-weight: 400;
  }
  /* Elsewhere it opens in the middle of the view, as popovers do. */
  @supports (position-area: block-end) {
    [popover] {
      inset: auto;
      margin: 0.25rem 0;
      position-area: block-end span-inline-start;
      position-try-fallbacks: flip-block, flip-inline;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bare {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .options,
    .bare .options {
      border-color: ButtonBorder;
      color: ButtonText;
    }
    .quiet {
      border-color: ButtonBorder;
    }
    .preview-mark,
    .preview > .pane {
      border-color: Highlight;
    }
  }
`;
