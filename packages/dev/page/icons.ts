import { svg } from 'lit';

const draw = (path: string) =>
  svg`<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${path} /></svg>`;

/** Drawn in the colour of the text beside them. */
export const icons = {
  close: draw('m4.5 4.5 7 7m0-7-7 7'),
  right: draw('m6.5 4.5 3.5 3.5-3.5 3.5'),
  link: draw(
    'M6.75 9.25a2.5 2.5 0 0 0 3.5 0l2.5-2.5a2.5 2.5 0 0 0-3.5-3.5L8.5 4m.75 2.75a2.5 2.5 0 0 0-3.5 0l-2.5 2.5a2.5 2.5 0 0 0 3.5 3.5L7.5 12',
  ),
  copy: draw(
    'M6 6V3.5A1.5 1.5 0 0 1 7.5 2h5A1.5 1.5 0 0 1 14 3.5v5a1.5 1.5 0 0 1-1.5 1.5H10M3.5 6h5A1.5 1.5 0 0 1 10 7.5v5A1.5 1.5 0 0 1 8.5 14h-5A1.5 1.5 0 0 1 2 12.5v-5A1.5 1.5 0 0 1 3.5 6Z',
  ),
  grid: draw('M2.5 2.5h4v4h-4Zm7 0h4v4h-4Zm-7 7h4v4h-4Zm7 0h4v4h-4Z'),
  list: draw('M5.5 4H14M5.5 8H14m-8.5 4H14M2.25 4h.01M2.25 8h.01M2.25 12h.01'),
  open: draw('M2.5 12V4.25a1 1 0 0 1 1-1h2.75l1.5 1.75h4.75a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1Z'),
  pause: draw('M5.5 3.5v9m5-9v9'),
  play: draw('m5 3.5 7.5 4.5L5 12.5Z'),
  reload: draw('M13.5 3v3.5H10m3.2 0A5.75 5.75 0 1 0 13.75 8'),
  save: draw('M8 2.5v7.25m0 0L5 6.75m3 3 3-3M2.75 10.5v1.75a1 1 0 0 0 1 1h8.5a1 1 0 0 0 1-1V10.5'),
  sliders: draw('M2.5 4.75h6m3.5 0h1.5m-11 6.5H4m3.5 0h6M8.5 3v3.5H12V3H8.5ZM4 9.5V13h3.5V9.5H4Z'),
  trash: draw('M2.75 4.25h10.5M6 4V2.75h4V4m-6 .25.6 8.25a.9.9 0 0 0 .9.75h5a.9.9 0 0 0 .9-.75L12 4.25'),
} as const;

/** The sign of Gantry: a crane over its load. */
export const mark = svg`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
  <rect width="24" height="24" rx="6" fill="var(--accent)" />
  <path d="M5 19V7h14v12M5 10.5h14M12 10.5v3" fill="none" stroke="var(--on-accent)" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" />
  <rect x="9.25" y="13.5" width="5.5" height="4.5" rx="1" fill="var(--on-accent)" />
</svg>`;
