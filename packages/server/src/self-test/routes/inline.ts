import { createHash } from 'node:crypto';

/** Embeds data in a page as JSON, escaped so that it cannot close the element. */
export function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

/** Returns the source that allows one inline script or style in a `Content-Security-Policy`. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
