import type { Html } from '@gantry/service/pages';
import { html } from 'hono/html';

/** Renders a name from elsewhere, whose writing direction leaves the text around it alone. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`;
