/**
 * Returns a view without its sub-view.
 *
 * @example
 * topOf('canvas.map'); // 'canvas'
 */
export function topOf(view: string): string {
  return view.split('.')[0] as string;
}
