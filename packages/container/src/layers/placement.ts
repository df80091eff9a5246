/** Returns the position of an element in the window, and the scroll offsets of its ancestors. */
export function placementOf(target: Element) {
  const { left, top, width, height } = target.getBoundingClientRect();
  let scrolledX = 0;
  let scrolledY = 0;
  for (let inner = outer(target); inner; inner = outer(inner)) {
    if (!(inner instanceof Element)) continue;
    scrolledX += inner.scrollLeft;
    scrolledY += inner.scrollTop;
  }
  return { left, top, width, height, scrolledX, scrolledY };
}

function outer(node: Node): Node | null {
  if (node instanceof ShadowRoot) return node.host;
  return (node instanceof Element && node.assignedSlot) || node.parentNode;
}

/** Returns true if something covers the middle of a button. Ignores buttons out of the window. */
export function isCovered(buttons: Iterable<HTMLElement>): boolean {
  for (const button of buttons) {
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = topmostAt(left + width / 2, top + height / 2);
    if (hit && !button.contains(hit)) return true;
  }
  return false;
}

/** Returns the element that a press at this point of the window would hit, also in shadow trees. */
export function topmostAt(x: number, y: number): Element | null {
  let element = document.elementFromPoint(x, y);
  while (element?.shadowRoot) {
    const inner = element.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === element || !element.shadowRoot.contains(inner)) break;
    element = inner;
  }
  return element;
}
