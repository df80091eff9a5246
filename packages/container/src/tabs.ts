import { type Change, isRecord } from '@gantry/wire';
import type { Decided } from './consent/decide.ts';

/** What pages of one site in one browser tell each other. */
export type TabMessage =
  /** This page wrote. */
  | { readonly changes: readonly Change[] }
  /** The proxy told this page who is signed in now. */
  | { readonly viewer: string | null }
  /** Somebody signed out. */
  | { readonly purge: true }
  /** The member allowed an app something, or took it back. */
  | { readonly decided: Decided };

/** What a `BroadcastChannel` can do that is needed here. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export interface Tabs {
  /** Tells all other pages; where a browser has no channels, nobody. */
  tell(message: TabMessage): void;
}

/**
 * Apps cannot hear or speak here: their documents have another origin, opaque or of their own (security rule 4).
 *
 * @param hear Gets what other pages say. Pages of another version of Gantry may say other things, which are left out.
 */
export function createTabs(channel: TabChannel | undefined, hear: (message: TabMessage) => void): Tabs {
  if (channel === undefined) return { tell: () => undefined };
  channel.addEventListener('message', ({ data }) => {
    if (isTabMessage(data)) hear(data);
  });
  return { tell: (message) => channel.postMessage(message) };
}

function isTabMessage(data: unknown): data is TabMessage {
  return (
    isRecord(data) && (Array.isArray(data.changes) || data.purge === true || 'viewer' in data || isRecord(data.decided))
  );
}

/** The channel of all pages that speak with the same `/gantry/` of this origin. */
export function openTabChannel({ pathname }: URL): TabChannel | undefined {
  try {
    return new BroadcastChannel(`gantry ${pathname}`);
  } catch {
    return undefined; // an old browser, or one that denies it to this page
  }
}
