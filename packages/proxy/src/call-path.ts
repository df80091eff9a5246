import type { Asker, Call, Reply, ResolvedRequest } from '@gantry/wire';
import type { Access } from './access.ts';
import type { Consumer } from './registrations.ts';

/** One call on its way through the proxy: what it asks, and for whom. */
export interface Asking {
  /** As the page sent it. */
  readonly call: Call;
  readonly request: ResolvedRequest;
  /** From the gadget token. */
  readonly asker: SignedIn;
  readonly consumer: Consumer;
  /** What the viewer lets the app do at this moment. */
  readonly access: Access;
  /** When the request that brought it arrived, in milliseconds since the epoch. */
  readonly receivedMs: number;
}

export type SignedIn = Asker & { readonly viewer: string };

/** Answers one call. It refuses by throwing a SocialError; anything else that it throws is a fault of the upstream. */
export type Send = (asking: Asking) => Promise<Reply>;

/** A step that every call passes: it may refuse, answer by itself, or do something around `next`. */
export type Stage = (next: Send) => Send;

/** Puts stages before what answers in the end. The first stage is the outermost. */
export function through(stages: readonly Stage[], last: Send): Send {
  return stages.reduceRight((next, stage) => stage(next), last);
}
