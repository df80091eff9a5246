import type { Clock } from '@gantry/wire/runtime';
import type { Attention } from './attention.ts';
import type { Fetch } from './calls/proxy-client.ts';
import type { Follow } from './events/followed.ts';
import type { TabChannel } from './results/tabs.ts';
import type { ContainerStorage } from './storage.ts';
import type { ToolOptions } from './tool-options.ts';

/** Options of a container, for sites and tools. Only `base` has no default. */
export interface ContainerOptions extends ToolOptions {
  /** Absolute URL of `/gantry/`, on the page's own origin. */
  readonly base: string | URL;
  /** BCP 47 tag of the page's language. Default: what the page says in its `lang`. */
  readonly locale?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /**
   * Default: the browser's own, with the channels and locks by which its pages agree. A container
   * with a storage of its own opens none of these: it is alone.
   */
  readonly storage?: ContainerStorage | undefined;
  /** Time and chance. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Visibility of the page. Default: the document's. */
  readonly attention?: Attention | undefined;
  /** Channel to the other pages of this browser. */
  readonly channel?: TabChannel | undefined;
  /**
   * Follows changes that others make. A container that is alone has a stream of its own, and
   * browsers open six connections to an HTTP/1.1 host: a page of many containers passes
   * `() => () => {}`.
   */
  readonly follow?: Follow | undefined;
}
