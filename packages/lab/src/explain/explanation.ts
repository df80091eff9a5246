import type { SourcePlace } from '../record/entry.ts';
import type { ManifestFacts } from './manifest-line.ts';
import type { ProblemTexts } from './problems.ts';

/** A problem of a gadget with its cure. */
export interface Explanation extends ProblemTexts {
  /** The call, host, file or message concerned. Absent: the id alone identifies the problem. */
  readonly subject?: string;
  readonly where?: SourcePlace;
}

/** Facts beside the entry that is explained. */
export interface Known {
  readonly manifest?: ManifestFacts | undefined;
  /** The call that a reply or push belongs to. */
  readonly call?: { readonly operation: string; readonly params?: unknown } | undefined;
  /** The app has its own server, so its frame has no agent: only reports of the page exist. */
  readonly isRemote?: boolean | undefined;
  /** The app sets its height, or fills its frame. */
  readonly hasHeight?: boolean | undefined;
  /** Paths of the app's files, relative to its folder. */
  readonly files?: readonly string[] | undefined;
}
