/** Formats a whole number with its digits in groups of three. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a number of things: `1 file`, `1,200 files`. */
export function countText(count: number, noun: string, several = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : several}`;
}
