import type { SourcePlace } from '../record.ts';
import type { TroubleId } from './troubles.ts';

/** A trouble of a gadget with its cure, for the author. The texts may contain the app's own: show them as text. */
export interface Explanation {
  /** Stable. With `subject` it says whether two entries tell of one trouble. */
  readonly id: TroubleId;
  /** The call, host, file or message that it is about. Without one it stands for any trouble of this id. */
  readonly subject?: string;
  /** One sentence: what is wrong. */
  readonly what: string;
  /** One sentence: what to do. */
  readonly cure: string;
  /** The line to write, in `gadget.json` or in the app. */
  readonly example?: string;
  readonly where?: SourcePlace;
}

/** Members of a `gadget.json` that explanations look at; it may be any JSON, so each is checked when it is read. */
export interface ManifestFacts {
  readonly uses?: unknown;
  readonly fields?: unknown;
  readonly hosts?: unknown;
  readonly optional?: unknown;
  readonly storage?: unknown;
}

/** Facts beside the entry that is explained. */
export interface Known {
  readonly manifest?: ManifestFacts | undefined;
  /** The call that a reply or push belongs to. */
  readonly call?: { readonly operation: string; readonly params?: unknown } | undefined;
  /** The app has a server of its own, so no agent is in its frame: what the page hears of its errors is all there is. */
  readonly isRemote?: boolean | undefined;
  /** Paths of the app's files, relative to its folder. */
  readonly files?: readonly string[] | undefined;
}
