/** The element that has the focus, in whichever shadow tree it is; a frame if the focus is in it. */
export function focusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
