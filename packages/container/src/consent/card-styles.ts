import { css } from '../chrome/css.ts';

/** For the shadow tree of a gadget, beside its own styles. */
export const cardStyles = css`
  .consent {
    display: grid;
    gap: 0.75rem;
    padding: 1.25rem;
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
  @media (forced-colors: active) {
    .consent li::before {
      background: CanvasText;
    }
  }
`;
