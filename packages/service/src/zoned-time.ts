/** Formats moments in one time zone (contract §3). */
export type ZonedTime = ReturnType<typeof createZonedTime>;

const minute = 60_000;
const quarter = 15 * minute;

/**
 * Creates the formatter of a time zone.
 *
 * @param timeZone IANA name.
 * @throws RangeError for an unknown time zone.
 */
export function createZonedTime(timeZone: string) {
  const offsetMs = timeZone === 'UTC' ? () => 0 : cachedOffset(timeZone);
  const local = (atMs: number) => new Date(atMs + offsetMs(atMs)).toISOString();
  return {
    /** `YYYY-MM-DDThh:mm:ss±hh:mm` */
    dateTime: (atMs: number): string => local(atMs).slice(0, 19) + offsetText(offsetMs(atMs)),
    /** `YYYY-MM-DD hh:mm:ss` */
    plain: (atMs: number): string => local(atMs).slice(0, 19).replace('T', ' '),
    /** `YYYY/MM/DD` */
    date: (atMs: number): string => local(atMs).slice(0, 10).replaceAll('-', '/'),
    /** Parses a plain time of this zone, in ms; the first of two when clocks go back. */
    instant(plain: string): number {
      const asUtc = Date.parse(`${plain.replace(' ', 'T')}Z`);
      const before = asUtc - offsetMs(asUtc - 24 * 60 * minute);
      return before + offsetMs(before) === asUtc ? before : asUtc - offsetMs(before);
    },
  };
}

/** Returns whole years from a birthday to a date, both `YYYY/MM/DD`. */
export function yearsBetween(birthday: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4));
  return today.slice(5) < birthday.slice(5) ? years - 1 : years;
}

// Intl takes microseconds, and zones change their offset only at quarters of an hour.
function cachedOffset(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', year: 'numeric' });
  const offsets = new Map<number, number>();
  return (atMs) => {
    const start = Math.floor(atMs / quarter) * quarter;
    const cached = offsets.get(start);
    if (cached !== undefined) return cached;
    const name = format.formatToParts(start).find((part) => part.type === 'timeZoneName')?.value ?? '';
    const offset = parseOffset(name);
    if (offsets.size > 10_000) offsets.clear();
    offsets.set(start, offset);
    return offset;
  };
}

function parseOffset(name: string): number {
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minute;
  return sign === '-' ? -size : size;
}

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / minute;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
