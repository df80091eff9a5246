import type { GadgetContext } from '@gantry/wire';

/** What the container's page adds to what the proxy said about a gadget. Changes arrive as the event `context`. */
export interface PageContext {
  /** Tells this gadget from others on the page. The same for each load of its app while it stands there. */
  readonly instance: string;
  /** Language and region as a BCP 47 tag, for example `de-CH`. */
  readonly locale: string;
  /** IANA name, for example `Europe/Zurich`. */
  readonly timeZone: string;
  /** Parameters of the present view, as text. */
  readonly params: Readonly<Record<string, string>>;
}

/** Where an app runs, for whom, and how things look there. */
export type AppContext = GadgetContext & PageContext;
