/** Returns a view without its sub-view. */
export function topOf(view: string): string {
  return view.split('.')[0] as string;
}
