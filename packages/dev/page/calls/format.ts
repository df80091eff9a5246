/** Time of day with milliseconds, as 09:05:07.042. */
export function formatTime(atMs: number, timeZone?: string): string {
  const time = new Date(atMs).toLocaleTimeString('en-GB', { timeZone });
  return `${time}.${String(Math.floor(atMs) % 1_000).padStart(3, '0')}`;
}

/** Characters of JSON, as 812 or 14.2k. */
export function formatSize(size: number | undefined): string {
  if (size === undefined) return '';
  return size < 1_000 ? String(size) : `${(size / 1_000).toFixed(1)}k`;
}

export function formatMs(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
