import { css } from './css.ts';

export const toastStyles = css`
  :host {
    position: fixed;
    box-sizing: border-box;
    inline-size: min(416px, 100%);
    max-block-size: 50dvb;
    margin: 0;
    padding: 0.75rem;
    border: 0;
    background: none;
    overflow: hidden auto;
    overscroll-behavior: contain;
    pointer-events: auto;
    font: 400 0.9375rem / 1.45 system-ui, sans-serif;
  }
  [role='log'] {
    display: grid;
    gap: 0.5rem;
  }
  .toast {
    --_kind: var(--_muted);
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: 0.25rem 0.5rem;
    padding-block: 0.5rem;
    padding-inline: 1rem 0.5rem;
    border: 1px solid var(--_line);
    border-inline-start: 4px solid var(--_kind);
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_surface);
    color: var(--_ink);
    box-shadow: 0 0.125rem 0.625rem rgb(0 0 0 / 0.25); /* within the padding, beyond which the region cuts it off */
    animation: rise 0.2s ease-out;
  }
  .info {
    --_kind: var(--_accent);
  }
  .success {
    --_kind: light-dark(#1f7a3d, #6fd08c);
  }
  .warning {
    --_kind: light-dark(#9a6200, #f0b95c);
  }
  .error {
    --_kind: light-dark(#b3261e, #f2958d);
  }
  .words {
    flex: 1 1 8rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .words > * {
    display: block;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .app {
    overflow: hidden;
    color: var(--_muted);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  button {
    flex: none;
    min-block-size: 2.5rem;
    padding: 0 0.75rem;
    border: 0;
    border-radius: 1.25rem;
    background: none;
    color: var(--_accent);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  .action {
    flex: 0 1 auto;
    max-inline-size: 45%;
    padding-block: 0.25rem;
    line-height: 1.25;
    overflow-wrap: anywhere;
  }
  .close {
    inline-size: 2.5rem;
    padding: 0;
    color: var(--_muted);
    font-size: 1.375rem;
    line-height: 1;
  }
  button:hover {
    background: color-mix(in srgb, var(--_muted) 14%, transparent);
  }
  button:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: -1px;
  }
  @media (prefers-reduced-motion: reduce) {
    .toast {
      animation: none;
    }
  }
  @keyframes rise {
    from {
      opacity: 0;
      translate: 0 0.5rem;
    }
  }
`;
