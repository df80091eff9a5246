/** Dates as the world file writes them. Everything is in UTC, the site's time zone. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** `2026-11-21T02:14:52+00:00`. */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}

/** `2026-11-21 02:14:52`, as media items have it (§2 MediaItem). */
export function plainTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** 1 to 12. */
export function monthOf(ms: number): number {
  return new Date(ms).getUTCMonth() + 1;
}
