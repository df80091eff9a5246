import type { GadgetContext, Reply } from '@gantry/wire';

/**
 * Theme of the site. The SDK sets each value as a CSS variable of the app's root, for example
 * `--gantry-surface`. Colours and lengths are computed values.
 */
export interface Theme {
  readonly scheme: 'light' | 'dark';
  readonly contrast: 'normal' | 'more';
  readonly motion: 'full' | 'reduce';
  readonly direction: 'ltr' | 'rtl';
  /** Colour behind the content. */
  readonly surface: string;
  /** Colour of text. */
  readonly ink: string;
  /** Colour of secondary text. */
  readonly muted: string;
  /** Colour of borders. */
  readonly line: string;
  /** Colour of links and main buttons. */
  readonly accent: string;
  /** Colour of text on `accent`. */
  readonly 'on-accent': string;
  /** Radius of corners. */
  readonly radius: string;
}

/** The page's part of an app's context. Changes arrive as the event `context`. */
export interface PageContext {
  /** Id of this gadget on the page, the same for each load of its app. */
  readonly instance: string;
  /** Language and region as a BCP 47 tag, for example `de-CH`. */
  readonly locale: string;
  /** IANA name, for example `Europe/Zurich`. */
  readonly timeZone: string;
  /** Name of the current view, for example `canvas` or the sub-view `canvas.map`. */
  readonly view: string;
  /** Parameters of the current view, as text. */
  readonly params: Readonly<Record<string, string>>;
  readonly theme: Theme;
  /** Shortcuts of the page, for keys that the app does not handle: `Escape`, `Control+k`. */
  readonly shortcuts?: readonly string[];
  /** Pending and recent writes of the app for this viewer and owner, also of earlier loads. */
  readonly writes?: readonly WriteReport[];
}

/** State of a write; the detail of the event `write`. */
export interface WriteReport {
  /** Id from the app, else from the container. */
  readonly id: string;
  /** Name of the call in `osapi`, for example `appdata.update`. */
  readonly operation: string;
  /** `sending`, `waiting` for a connection or until a post may be made, or `done`. */
  readonly state: 'sending' | 'waiting' | 'done';
  /** Result or error of a write that is done. */
  readonly reply?: Reply;
  /** Time of the next try of a waiting post, in milliseconds since the epoch. */
  readonly retryAt?: number;
}

/** Context of an app: app, viewer, owner, view, language, theme. */
export type AppContext = GadgetContext & PageContext;
