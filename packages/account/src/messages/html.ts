import type { html } from 'hono/html';

/** Escaped HTML, made with `html` of `hono/html`. */
export type Html = ReturnType<typeof html>;
