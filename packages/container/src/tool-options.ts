import type { Theme } from '@gantry/bridge';
import type { Observe } from '@gantry/wire';

/** Options for development and tests, of all gadgets of a container. */
export interface ToolOptions {
  /** Receives the conversation of gadgets and page. Its errors disturb no gadget. */
  readonly observe?: Observe | undefined;
  /**
   * Returns the preferences and settings that apps see in place of the system's. Read whenever an
   * app gets its context; dispatch `gantry-refresh` at the document when they change. Scheme and
   * colours follow the CSS of a gadget's place.
   */
  readonly emulate?: (() => Emulation) | undefined;
  /** An app with a server of its own, which reloads it after each save, rests after a second. */
  readonly isDevelopment?: boolean | undefined;
  /** Plain data that `gantry.state` holds for apps that have set nothing yet. */
  readonly state?: unknown;
  /** Parameters of the view that gadgets show first. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** False keeps the views of gadgets out of the page's address and history. Default: true. */
  readonly address?: boolean | undefined;
}

/** Preferences and settings of a member. Those that are left out are of page and system. */
export interface Emulation extends Partial<Pick<Theme, 'contrast' | 'motion' | 'direction'>> {
  /** BCP 47 tag. Default: the `lang` of the nearest element around the gadget that has one. */
  readonly locale?: string;
  /** IANA name. */
  readonly timeZone?: string;
}
