/** Zone of the hostile world: its clocks go forward in March and back in October. */
export const changingZone = 'Europe/Berlin';

/** The latest nights on which clocks were changed, as moments in milliseconds since the epoch. */
export interface ClockChanges {
  /** 03:00 follows 02:00: half past two is missing. */
  readonly forwardMs: number;
  /** 02:00 follows 03:00: half past two comes twice. */
  readonly backMs: number;
}

/** Returns the latest changes of the clocks in the European Union before a moment. */
export function latestClockChanges(nowMs: number): ClockChanges {
  return { forwardMs: latest(2, nowMs), backMs: latest(9, nowMs) };
}

// All zones of the European Union change at 01:00 UTC on the last Sundays of March and October.
function latest(month: number, nowMs: number): number {
  const year = new Date(nowMs).getUTCFullYear();
  const ofYear = lastSunday(year, month);
  return ofYear < nowMs ? ofYear : lastSunday(year - 1, month);
}

function lastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0, 1));
  return lastDay.getTime() - lastDay.getUTCDay() * 86_400_000;
}
