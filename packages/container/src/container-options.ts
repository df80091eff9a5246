import type { Theme } from '@gantry/bridge';
import type { Clock, Observe } from '@gantry/wire';
import type { Attention } from './attention.ts';
import type { Follow } from './follow.ts';
import type { Fetch } from './proxy-client.ts';
import type { ContainerStorage } from './storage.ts';
import type { TabChannel } from './tabs.ts';

/** Options of a container, for sites and tools. Only `base` has no default. */
export interface ContainerOptions extends ToolOptions {
  /** Absolute URL of `/gantry/`, on the page's own origin. */
  readonly base: string | URL;
  /** BCP 47 tag of the page's language. Default: what the page says in its `lang`. */
  readonly locale?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /**
   * Keeps results, waiting writes and states beyond the page. Default: the browser's own, with the channels and locks by
   * which pages of one browser agree. A container with a storage of its own opens none of these: it is alone.
   */
  readonly storage?: ContainerStorage | undefined;
  /** Time and chance. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Tells if somebody sees the page. */
  readonly attention?: Attention | undefined;
  /** To the other pages of this browser. */
  readonly channel?: TabChannel | undefined;
  /**
   * Hears of changes that others make. Each container that is alone has a stream of its own, and browsers open six connections
   * to a host that speaks HTTP/1.1: a page of many containers says `() => () => {}`.
   */
  readonly follow?: Follow | undefined;
}

/** Options for development and tests, of all gadgets of a container. */
export interface ToolOptions {
  /** Hears what gadgets and page say to each other. Costs nothing where it is absent. Its errors disturb no gadget. */
  readonly observe?: Observe | undefined;
  /**
   * Returns what apps are told instead of what page and system say. Read whenever an app learns its context; dispatch
   * `gantry-refresh` at the document when it changes. Scheme and colours follow the CSS of a gadget's place.
   */
  readonly look?: (() => Look) | undefined;
  /** Apps are being written: one that loads its document anew is reloaded at once, without counting (at most 20 times in a row). */
  readonly isDevelopment?: boolean | undefined;
  /** Plain data that `gantry.state` holds for apps that have set nothing yet. */
  readonly state?: unknown;
  /** Parameters of the view that gadgets show first. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** False keeps the views of gadgets out of the page's address and history. Default: true. */
  readonly address?: boolean | undefined;
}

/** Look of a page as apps are told it. Members that are left out are as page and system say. */
export interface Look extends Partial<Pick<Theme, 'contrast' | 'motion' | 'direction'>> {
  /** BCP 47 tag. Default: the `lang` of the nearest element around the gadget that has one. */
  readonly locale?: string;
  /** IANA name. */
  readonly timeZone?: string;
}
