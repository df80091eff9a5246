import type { SourcePlace } from '../record/entry.ts';
import type { ProblemId } from './problems.ts';

/** A problem of a gadget with its cure. Texts may contain those of the app: render as text. */
export interface Explanation {
  /** Stable. With `subject` it identifies a problem. */
  readonly id: ProblemId;
  /** The call, host, file or message concerned. Absent: the id alone identifies it. */
  readonly subject?: string;
  /** One sentence: what is wrong. */
  readonly what: string;
  /** One sentence: what to do. */
  readonly cure: string;
  /** The line to write, in `gadget.json` or in the app. */
  readonly example?: string;
  readonly where?: SourcePlace;
}

/** Members of a `gadget.json` for explanations. It may be any JSON: check each when read. */
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
  /** The app has its own server, so its frame has no agent: only reports of the page exist. */
  readonly isRemote?: boolean | undefined;
  /** Paths of the app's files, relative to its folder. */
  readonly files?: readonly string[] | undefined;
}
