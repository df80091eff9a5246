/** Returns the path of a raw request target, without its query. */
export function pathOf(rawTarget: string): string {
  const query = rawTarget.indexOf('?');
  return query === -1 ? rawTarget : rawTarget.slice(0, query);
}
