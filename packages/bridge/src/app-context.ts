import type { GadgetContext, Reply } from '@gantry/wire';

/**
 * How the site looks. The SDK sets each as a CSS variable of the app's root: `surface` is `--gantry-surface`. Colours and
 * lengths are what the browser computed, whatever the site wrote.
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
  /** Colour of text that matters less. */
  readonly muted: string;
  /** Colour of borders. */
  readonly line: string;
  /** Colour of links and chief buttons. */
  readonly accent: string;
  /** Colour of text on `accent`. */
  readonly 'on-accent': string;
  /** Radius of corners. */
  readonly radius: string;
}

/** What the container's page adds to what the proxy said about a gadget. Changes arrive as the event `context`. */
export interface PageContext {
  /** Tells this gadget from others on the page. The same for each load of its app while it stands there. */
  readonly instance: string;
  /** Language and region as a BCP 47 tag, for example `de-CH`. */
  readonly locale: string;
  /** IANA name, for example `Europe/Zurich`. */
  readonly timeZone: string;
  /** Name of the present view, for example `canvas` or the sub-view `canvas.map`. */
  readonly view: string;
  /** Parameters of the present view, as text. */
  readonly params: Readonly<Record<string, string>>;
  readonly theme: Theme;
  /** Keys that the page wants to hear of when the app leaves them alone, for example `Escape` and `Control+k`. */
  readonly shortcuts?: readonly string[];
  /** The app's newest writes for this viewer and owner, this load's or an earlier one's: those under way, and lately ended ones. */
  readonly writes?: readonly WriteReport[];
}

/** How far a write is. Also what the event `write` brings. */
export interface WriteReport {
  /** The app's own, or the container's. */
  readonly id: string;
  /** Name of the call in `osapi`, for example `appdata.update`. */
  readonly operation: string;
  /** `sending`, `waiting` for a connection or until a post may be made, or `done`. */
  readonly state: 'sending' | 'waiting' | 'done';
  /** When it is done: the result, or why there is none. */
  readonly reply?: Reply;
  /** When a waiting post will be made, in milliseconds since the epoch. */
  readonly retryAt?: number;
}

/** Where an app runs, for whom, and how things look there. */
export type AppContext = GadgetContext & PageContext;
