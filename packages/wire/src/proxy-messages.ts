import type { ResourceRequest } from './app-call.ts';
import type { Reply } from './envelope.ts';
import type { PermissionName } from './permissions.ts';

/** Messages between a container page and the proxy, as JSON. */

/** One item of the body of `POST /gantry/instances`. */
export interface InstanceRequest {
  readonly app: string;
  /** Owner of the page; the viewer when absent. */
  readonly owner?: string;
  /** `home` when absent. */
  readonly view?: string;
  /** Version that this page runs already; a renewal keeps it. */
  readonly version?: string;
}

/** A gadget that the proxy lets run on this page. */
export interface Instance {
  readonly instance: string;
  /** Gadget token for `POST /gantry/calls`. Never handed to an app's frame. */
  readonly token: string;
  /** Seconds until the token expires; asking for the instance again renews it. */
  readonly expiresIn: number;
  /** Absolute URL of the app's document, without fragment. */
  readonly document: string;
  /** Documents by view, for views with a page of their own. Absent if one page has all views. */
  readonly documents?: Readonly<Record<string, string>>;
  readonly sandbox: string;
  /** Position in `POST /gantry/events` from which no change is missed. Absent when signed out. */
  readonly since?: string;
  /**
   * Stable name of the source of results and of the app's registration, part of every cache key.
   * Results under another name are not this app's.
   */
  readonly upstream: string;
  /** Requests that the page makes before the frame exists. */
  readonly preload: readonly ResourceRequest[];
  readonly consent: Consent;
  /** Calls that the manifest lists, optional ones too. */
  readonly uses: readonly string[];
  /** Calls that the manifest lists in `uses`, for authors: only on a site of this machine. */
  readonly declared?: readonly string[];
  /** Time of the viewer's last revocation, in milliseconds since the epoch; 0 if never. */
  readonly revokedAtMs: number;
  /** True if `GrantsRequest.removesData` is supported. */
  readonly canRemoveData?: boolean;
  readonly context: GadgetContext;
  /** Digest of the version; absent for a live folder or a remote app. */
  readonly version?: string;
  /** Digest of the live version, if this instance is of another one. */
  readonly live?: string;
  /** A version that this member may try before it is live: `shown` if this instance is of it. */
  readonly preview?: 'offered' | 'shown';
}

/** Permissions that the member has not decided about. Empty lists when signed out. */
export interface Consent {
  /** Permissions without which the app does not start. */
  readonly needed: readonly PermissionName[];
  /** Permissions that the app can request while it runs, granted or not. */
  readonly optional: readonly PermissionName[];
}

/** Facts that an app gets about itself and its page. */
export interface GadgetContext {
  readonly app: { readonly id: string; readonly title: string };
  /** Member id; absent when signed out. */
  readonly viewer?: string;
  readonly owner?: string;
  readonly view: string;
  /** Views that the app has, without their sub-views. */
  readonly views: readonly string[];
  /** Rule for the height of the frame; absent if the app sets it. */
  readonly sizing?: 'fixed' | 'maximal' | 'automatic';
  /** Initial height of the frame in CSS pixels. */
  readonly height: number;
  /** Calls that the site supports, for `osapi.has` and for services that are `undefined`. */
  readonly operations: readonly string[];
  readonly permissions: readonly PermissionName[];
}

/** Item of the response of `POST /gantry/instances`: one per request, in order. */
export type InstanceAnswer = Reply<Instance>;

/** Body of `POST /gantry/calls`. */
export interface CallsRequest {
  readonly tokens: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
}

export interface Call extends ResourceRequest {
  /** Names the call within this request. */
  readonly id: string;
  readonly instance: string;
  /** Id of a write (`isWriteId`), the same for each repeat: under one id it is done once. */
  readonly write?: string;
}

/** Body of `POST /gantry/events`, which listens for changes. */
export interface EventsRequest {
  /** Gadget tokens by instance, of one viewer. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Positions of instances, or `id` of the last event received: the earliest counts. */
  readonly since: readonly string[];
}

/**
 * Reason for which a stream of events ends. `expired`: a token or the sign-in did, so retry with
 * new ones. `later`: the server stops or fails, so retry, perhaps on another one.
 */
export type EventsEnd = 'expired' | 'later';

/** Line of the NDJSON response of `POST /gantry/calls`, in the order of readiness. */
export type CallReply = { readonly id: string } & Reply;

/** Body of `POST /gantry/grants`: a decision of the signed-in member. */
export interface GrantsRequest {
  /** Gadget token of the app: refused if another member has signed in since. */
  readonly token: string;
  /** Undeclared permissions are ignored. */
  readonly grant?: readonly PermissionName[];
  readonly revoke?: readonly PermissionName[];
  /** Removes the app's data of the member too, if no permission is left. False when absent. */
  readonly removesData?: boolean;
}

/** Response of `POST /gantry/grants`: the state after the decision. */
export interface GrantsAnswer extends Consent {
  readonly granted: readonly PermissionName[];
}

/** Body of `POST /gantry/previews`: a decision of the signed-in member about a preview. */
export interface PreviewRequest {
  /** Gadget token of the app: refused if another member has signed in since. */
  readonly token: string;
  readonly accept: boolean;
}
