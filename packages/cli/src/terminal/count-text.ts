/** Formats a number with its digits in groups of three. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a number of things: `1 file`, `1,200 files`. @param noun Takes an s for several. */
export function countText(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
