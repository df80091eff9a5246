/**
 * Returns the keys that the site listens for while an app has the focus: Escape, and those in the
 * nearest `data-gantry-shortcuts`, separated by spaces.
 */
export function shortcutsAt(element: Element): readonly string[] {
  const named = element.closest<HTMLElement>('[data-gantry-shortcuts]')?.dataset.gantryShortcuts;
  return ['Escape', ...(named?.split(/\s+/).filter(Boolean) ?? [])];
}
