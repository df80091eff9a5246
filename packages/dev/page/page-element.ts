import { LitElement, type PropertyDeclarations } from 'lit';

/** An element without a shadow root, so that the page's style sheets reach its content. */
export class PageElement extends LitElement {
  override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Declares properties that are set from outside, none of them by an attribute. */
export function inputs(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map((name) => [name, { attribute: false }]));
}

/** Declares properties that the element sets itself. */
export function ownState(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map((name) => [name, { state: true }]));
}
