const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

/** Shows a moment as `5 minutes ago`, with date and time as its tooltip. */
export function showTime(element: HTMLTimeElement, iso: string): void {
  const date = new Date(iso);
  element.dateTime = iso;
  element.title = exact.format(date);
  element.textContent = ago((Date.now() - date.getTime()) / 1_000);
}

/** Keeps every `<time>` of the page up to date. */
export function keepTimesFresh(): void {
  setInterval(() => {
    for (const element of document.querySelectorAll('time')) showTime(element, element.dateTime);
  }, 30_000);
}

function ago(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? [];
  return unit ? relative.format(-Math.floor(seconds / size), unit) : 'just now';
}
