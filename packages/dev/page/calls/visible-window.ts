const beyond = 8;

/**
 * Returns the rows of equal height that a scrolled place shows, with a few beyond each edge: the
 * first, and the one behind the last.
 */
export function visibleWindow(options: {
  readonly count: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly height: number;
}): { readonly first: number; readonly end: number } {
  const { count, rowHeight, scrollTop, height } = options;
  const shown = Math.ceil(height / rowHeight);
  const first = Math.max(0, Math.min(count - shown, Math.floor(scrollTop / rowHeight)) - beyond);
  return { first, end: Math.min(count, first + shown + 2 * beyond) };
}
