import { css } from '../chrome/css.ts';

/** Styles of the question about several apps, beside those of dialogs. */
export const togetherStyles = css`
  /* It scrolls as a whole: the buttons for all come after all that they decide about. */
  dialog {
    overflow: auto;
  }
  .content {
    flex: none;
    padding-block-start: 0.875rem;
    overflow: visible;
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
