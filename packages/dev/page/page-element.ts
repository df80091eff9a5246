import { LitElement } from 'lit';

/** An element without a shadow root, so that the page's style sheets reach its content. */
export class PageElement extends LitElement {
  override createRenderRoot(): HTMLElement {
    return this;
  }
}
