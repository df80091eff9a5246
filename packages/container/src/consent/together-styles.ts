import { css } from '../chrome/css.ts';

/** Styles of the question about several apps, beside those of dialogs. */
export const togetherStyles = css`
  .content {
    min-block-size: 6rem; /* in the smallest windows the dialog scrolls, too */
    padding-block-start: 0.875rem;
  }
  .content + .actions {
    border-block-start: 1px solid transparent;
  }
  .more + .actions {
    border-color: var(--_line);
    box-shadow: 0 -0.5rem 0.75rem -0.5rem rgb(0 0 0 / 0.3);
  }
  .line {
    margin-block-end: 0.875rem;
    padding-block-end: 0.875rem;
    border-block-end: 1px solid var(--_line);
  }
  .content .line > ul {
    margin-block: 0.25rem 0.5rem;
  }
  .line > .remote {
    margin-block: 0.25rem 0.5rem;
    padding: 0.625rem 0.75rem;
    border-inline-start: 3px solid var(--_accent);
    background: color-mix(in srgb, var(--_accent) 10%, transparent);
  }
  .line > .actions {
    align-items: center;
    min-block-size: 2.75rem; /* of its buttons: nothing moves when they are gone */
    padding: 0;
  }
  .content .outcome {
    margin: 0;
    font-weight: 600;
  }
  .outcome:empty {
    display: none;
  }
`;
