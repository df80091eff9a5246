const beyond = 8;

/** Returns the rows that a scrolled place shows, with a few beyond each edge: first and end. */
export function visibleWindow(options: {
  readonly count: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly height: number;
}): { readonly first: number; readonly end: number } {
  const { count, rowHeight, scrollTop, height } = options;
  const rows = Math.ceil(height / rowHeight);
  const first = Math.max(0, Math.min(count - rows, Math.floor(scrollTop / rowHeight)) - beyond);
  return { first, end: Math.min(count, first + rows + 2 * beyond) };
}
