import { raw } from 'hono/html';

const icon = (shape: string) =>
  raw(
    `<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`,
  );

/** Drawings before a sentence that says the same. */
export const icons = {
  yes: icon('<path d="m4 10.5 4 4 8-9"/>'),
  no: icon('<path d="M5 5l10 10M15 5 5 15"/>'),
} as const;
