import type { Asker, Call, Reply, ResolvedRequest } from '@gantry/wire';
import type { Access } from './access/access.ts';
import type { Consumer } from './apps/registrations.ts';

/** One call on its way through the proxy, with the facts that its middlewares need. */
export interface CallContext {
  /** As the page sent it. */
  readonly call: Call;
  readonly request: ResolvedRequest;
  /** From the gadget token. */
  readonly asker: SignedIn;
  readonly consumer: Consumer;
  /** The app, and its permissions at this moment. */
  readonly access: Access;
  /** Arrival of the page's request, in milliseconds since the epoch. */
  readonly receivedMs: number;
  /** Question about the cached reply that was asked before the permissions were known. */
  readonly foreseen?: ForeseenReply | undefined;
}

/** A cached reply, and the answer whether it was valid after the page's request arrived. */
export interface ForeseenReply {
  readonly reply: Reply;
  readonly isValid: Promise<boolean>;
}

/** Asks whether the cached reply to a read is valid, by what is known of the app from before. */
export type Foresee = (
  read: Pick<CallContext, 'request' | 'asker' | 'consumer'> & { readonly registration: string },
) => ForeseenReply | undefined;

export type SignedIn = Asker & { readonly viewer: string };

/** Resolves with a call's reply. Throws SocialError to refuse; other errors are upstream faults. */
export type Send = (context: CallContext) => Promise<Reply>;

/** A step that every call passes. It may refuse, reply by itself, or wrap `next`. */
export type Middleware = (next: Send) => Send;
