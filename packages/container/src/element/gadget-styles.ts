import { css } from '../chrome/css.ts';

export const gadgetStyles = css`
  :host {
    display: block;
    color: var(--_ink);
    font: 400 1rem / 1.5 system-ui, sans-serif;
  }
  :host([hidden]) {
    display: none;
  }
  .head {
    display: flex;
    align-items: start;
    gap: 0.5rem;
    min-block-size: 1.75rem; /* of the menu's button, which comes later */
    margin-block-end: 0.5rem;
  }
  h2,
  ::slotted([slot='heading']) {
    flex: 1;
    margin: 0;
    font-size: 1.0625rem;
    font-weight: 650;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  .body {
    position: relative;
  }
  .pane {
    position: relative;
    overflow: clip;
    border-radius: var(--_radius);
    outline: none;
  }
  .pane:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: -3px;
  }
  .waiting,
  .loading,
  .ready,
  .unresponsive {
    block-size: var(--gantry-height, 200px); /* of a manifest that says none */
  }
  /* The frame takes its new height at once, so that the app sees one resize; only what is around it moves. Not while apps load, which would take longer. */
  .ready {
    transition: block-size 0.2s ease-out;
  }
  iframe {
    display: block;
    inline-size: 100%;
    block-size: var(--gantry-height);
    border: 0;
  }
  /* What nobody sees is not drawn: browsers spare a hidden frame that. An app that waits to be drawn before it says hello has it a second later. */
  .loading iframe {
    visibility: hidden;
  }
  .late iframe {
    visibility: visible;
    opacity: 0;
  }
  .unresponsive iframe {
    opacity: 0.5;
  }
  .skeleton {
    box-sizing: border-box;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    position: absolute;
    inset: 0;
    padding: 1.25rem;
    overflow: clip;
  }
  .rows {
    display: grid;
    gap: 1rem;
  }
  /* One animation for all rows, for an app that keeps its member waiting. With a delay instead of the class it would cost a page of many from the start. */
  .late .rows {
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  .row {
    display: grid;
    grid-template: 0.625rem 0.625rem / 2.5rem 1fr;
    align-content: center;
    gap: 0.5rem 0.875rem;
  }
  .row > * {
    border-radius: 1rem;
    background: color-mix(in srgb, var(--_muted) 22%, transparent);
  }
  .row > i {
    grid-row: span 2;
    block-size: 2.5rem;
    align-self: center;
    border-radius: 50%;
  }
  .row > b {
    inline-size: 55%;
  }
  .row > b + b {
    inline-size: 85%;
  }
  .row:nth-of-type(even) > b {
    inline-size: 40%;
  }
  .row:nth-of-type(even) > b + b {
    inline-size: 70%;
  }
  button:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  @media (forced-colors: active) {
    .row > * {
      background: GrayText;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .pane,
    .rows {
      animation: none;
      transition: none;
    }
  }
`;
