/** For the shadow tree of a gadget, beside its own styles. */
export const cardStyles = `
  .consent {
    box-sizing: border-box;
    display: grid;
    gap: 0.75rem;
    padding: 1.25rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_ink);
    overflow-wrap: anywhere;
  }
  /* English keeps its own order on a page that is written from right to left, and stands at that page's side. */
  .consent > strong,
  .consent p,
  .consent li {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .choices > button {
    unicode-bidi: plaintext;
  }
  .consent > strong {
    font-size: 1.0625rem;
    font-weight: 650;
    line-height: 1.35;
    text-wrap: balance;
  }
  .consent > ul {
    display: grid;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .consent li {
    position: relative;
    padding-inline-start: 1.75rem;
  }
  .consent li::before {
    content: '';
    position: absolute;
    inset-block-start: 0.5em;
    inset-inline-start: 0.25rem;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    border-radius: 50%;
    background: var(--_accent);
    forced-color-adjust: none;
  }
  .consent p {
    max-inline-size: none;
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375rem;
    text-wrap: pretty;
  }
  .consent .remote {
    padding: 0.625rem 0.75rem;
    border-inline-start: 3px solid var(--_accent);
    background: color-mix(in srgb, var(--_accent) 10%, transparent);
    color: var(--_ink);
  }
  .consent .problem {
    color: var(--_ink);
    font-weight: 600;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.625rem;
  }
  .choices > button {
    min-block-size: 2.75rem;
    margin: 0;
    padding: 0.375rem 1.25rem;
    border: 1px solid color-mix(in srgb, var(--_muted) 45%, transparent);
    border-radius: 1.375rem;
    background: none;
    color: var(--_ink);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  .choices > button:hover {
    background: color-mix(in srgb, var(--_muted) 14%, transparent);
  }
  .choices > .main {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .choices > .main:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_ink));
  }
  .choices > button[aria-disabled='true'],
  .choices > button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  .choices > button:focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  @media (max-width: 30rem) {
    .choices > button {
      flex: 1 1 auto;
    }
  }
  @media (forced-colors: active) {
    .choices > .main {
      border-color: ButtonText;
    }
    .consent li::before {
      background: CanvasText;
    }
    .choices > button[aria-disabled='true'],
    .choices > button:disabled {
      border-color: GrayText;
      color: GrayText;
      opacity: 1;
    }
  }
`;
