/** Returns the element with this id, which must exist. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Returns a copy of a template's one element. */
export function copy(templateId: string): HTMLElement {
  const template = document.getElementById(templateId) as HTMLTemplateElement;
  return template.content.firstElementChild?.cloneNode(true) as HTMLElement;
}
