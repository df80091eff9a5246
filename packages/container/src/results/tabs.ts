import { type Change, isRecord } from '@gantry/wire';
import type { Decided, DecidedPreview } from '../gadget.ts';

/** A message between pages of one site in one browser. */
export type TabMessage =
  /** This page wrote. */
  | { readonly changes: readonly Change[] }
  /** The proxy named the member who is signed in now. */
  | { readonly viewer: string | null }
  /** The member signed out. */
  | { readonly purge: true }
  /** The member's decision about a preview. Earlier releases read the viewer alone. */
  | { readonly viewer: string | null; readonly preview: DecidedPreview }
  /** The member's decision about an app. */
  | { readonly decided: Decided };

/** The used part of a `BroadcastChannel`. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/**
 * Joins the pages of a channel. Apps have another origin, so they cannot (security rule 4).
 *
 * @param channel Absent where a browser has none.
 * @param hear Receives messages; unknown ones, of pages of another version, are ignored.
 * @returns Function that sends to all other pages.
 */
export function joinTabs(
  channel: TabChannel | undefined,
  hear: (message: TabMessage) => void,
): (message: TabMessage) => void {
  channel?.addEventListener('message', ({ data }) => {
    if (isTabMessage(data)) hear(data);
  });
  return (message) => channel?.postMessage(message);
}

function isTabMessage(data: unknown): data is TabMessage {
  return (
    isRecord(data) && (Array.isArray(data.changes) || data.purge === true || 'viewer' in data || isRecord(data.decided))
  );
}

/** Opens the channel of all pages with the same `/gantry/` of this origin. */
export function openTabChannel({ pathname }: URL): TabChannel | undefined {
  try {
    return new BroadcastChannel(`gantry ${pathname}`);
  } catch {
    return undefined; // an old browser, or one that denies it to this page
  }
}
