/** Measures the content's height in CSS pixels. `scrollHeight` is at least the frame's height. */
export function documentHeight(document: Document): number {
  const { documentElement: html, body, scrollingElement } = document;
  const { scrollHeight, clientHeight } = scrollingElement ?? html;
  if (scrollHeight > clientHeight) return scrollHeight;
  // The content fits, so it may be shorter than the frame. Quirks mode and heights of 100 % would
  // stretch it.
  const undo = [html, body].map((element) => setHeight(element, 'max-content', 'important'));
  const { height } = html.getBoundingClientRect();
  for (const restore of undo) restore();
  return Math.ceil(height);
}

function setHeight({ style }: HTMLElement, height: string, priority: string): () => void {
  const before = [style.getPropertyValue('height'), style.getPropertyPriority('height')] as const;
  style.setProperty('height', height, priority);
  return () => style.setProperty('height', ...before);
}
