/** A time zone: converts between instants and local time. */
export interface TimeZone {
  readonly name: string;
  /** Milliseconds by which local time is ahead of UTC at an instant. */
  offsetAt(instantMs: number): number;
  /** Instant of a local time given as UTC; skipped and repeated hours as in ECMA-262. */
  instantOf(wallMs: number): number;
  /** Name of its time at an instant: Central European Summer Time. */
  nameAt(instantMs: number): string;
}

const dayMs = 86_400_000;

/** @throws RangeError for a name that the browser does not know. */
export function createTimeZone(timeZone: string, { DateTimeFormat }: Pick<typeof Intl, 'DateTimeFormat'>): TimeZone {
  const offsets = new DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const names = new DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' });

  function partAt(format: Intl.DateTimeFormat, instantMs: number): string {
    return format.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  }
  function offsetAt(instantMs: number): number {
    if (!(Math.abs(instantMs) <= 8.64e15)) return 0;
    const [, sign, hours, minutes = '0', seconds = '0'] =
      /([+-])(\d+)(?::(\d+))?(?::(\d+))?/.exec(partAt(offsets, instantMs)) ?? [];
    if (hours === undefined) return 0;
    return (sign === '-' ? -1_000 : 1_000) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
  }

  return {
    name: timeZone,
    offsetAt,
    instantOf(wallMs) {
      const before = offsetAt(wallMs - dayMs);
      const after = offsetAt(wallMs + dayMs);
      const isAfter = offsetAt(wallMs - before) !== before && offsetAt(wallMs - after) === after;
      return wallMs - (isAfter ? after : before);
    },
    nameAt: (instantMs) => partAt(names, instantMs),
  };
}
