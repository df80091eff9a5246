import { css } from './css.ts';

/** The site's colours, with defaults, for a gadget and what the container shows outside of it. */
export const paletteStyles = css`
  :host {
    --_surface: var(--gantry-surface, light-dark(#fff, #1a1d23));
    --_ink: var(--gantry-ink, light-dark(#1b1f27, #eceef2));
    --_muted: var(--gantry-muted, light-dark(#5c6472, #a3abb9));
    --_line: var(--gantry-line, light-dark(#e2e5ea, #2f343d));
    --_accent: var(--gantry-accent, light-dark(#2f5bd7, #8fb0ff));
    --_on-accent: var(--gantry-on-accent, light-dark(#fff, #10131a));
    --_radius: var(--gantry-radius, 12px);
  }
`;
