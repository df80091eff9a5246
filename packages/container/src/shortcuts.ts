/** Returns the keys that the site listens for while an app has the focus, Escape among them. */
export function shortcutsAt(element: Element): readonly string[] {
  return ['Escape', ...wordsAt(element, 'data-gantry-shortcuts')];
}

/** Returns the words of an attribute, separated by spaces, of `element` or its nearest ancestor. */
export function wordsAt(element: Element, attribute: string): readonly string[] {
  const words = element.closest(`[${attribute}]`)?.getAttribute(attribute)?.split(/\s+/);
  return words?.filter(Boolean) ?? [];
}
