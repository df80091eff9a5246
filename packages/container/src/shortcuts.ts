/**
 * Keys that the site wants to hear of while the focus is in an app: Escape, and what `data-gantry-shortcuts` of the gadget or
 * the nearest element around it names, separated by spaces.
 */
export function shortcutsAt(element: Element): readonly string[] {
  const named = element.closest<HTMLElement>('[data-gantry-shortcuts]')?.dataset.gantryShortcuts;
  return ['Escape', ...(named?.split(/\s+/).filter(Boolean) ?? [])];
}
