import { css } from './css.ts';

// Important, because a site's rules for the tag, such as `display: block`, win over `:host`.
export const canvasStyles = css`
  :host([maximised]) {
    position: fixed !important;
    inset: var(--gantry-canvas-inset, 0) !important;
    box-sizing: border-box;
    display: flex !important;
    flex-direction: column;
    inline-size: auto !important;
    max-inline-size: none !important;
    block-size: auto !important;
    max-block-size: none !important;
    margin: 0 !important;
    padding: 0;
    border: 0;
    background: var(--_surface);
    color: var(--_ink);
    overflow: hidden;
  }
  :host([maximised]) h2,
  :host([maximised]) ::slotted([slot='heading']) {
    display: none;
  }
  :host([maximised]) .head {
    position: absolute;
    inset-block-start: -2.625rem; /* in the middle of the bar */
    inset-inline-end: 0.75rem;
    margin: 0;
  }
  :host([maximised]) .body {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-block-size: 0;
  }
  :host([maximised]) .pane {
    flex: 1;
    min-block-size: 0;
    block-size: auto;
    border-radius: 0;
    transition: none;
  }
  :host([maximised]) iframe {
    block-size: 100%;
  }
  .canvas-bar {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.875rem;
    padding: 0.5rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    font-weight: 650;
  }
  .inPlace {
    padding: 0 0.75rem 0.25rem;
    border: 0;
  }
  .canvas-bar span {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .canvas-bar button {
    flex: none;
    min-block-size: 2.5rem;
    margin: 0;
    padding-block: 0;
    padding-inline: 0.75rem 1rem;
    border: 1px solid var(--_line);
    border-radius: 1.25rem;
    background: none;
    color: var(--_ink);
    font-weight: 600;
  }
  .canvas-bar button::before {
    content: '';
    display: inline-block;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    margin-inline-end: 0.5rem;
    border: solid currentColor;
    border-width: 0 0 2px 2px;
    rotate: 45deg;
  }
  .canvas-bar:dir(rtl) button::before {
    rotate: -135deg;
  }
  .canvas-bar button:hover {
    background: color-mix(in srgb, var(--_muted) 14%, transparent);
  }
`;
