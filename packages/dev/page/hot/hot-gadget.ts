/** An element that shows an app in a frame. */
export interface HotGadget extends HTMLElement {
  readonly state?: string;
  reload(): void;
}
