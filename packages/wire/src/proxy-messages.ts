import type { Reply } from './envelope.ts';
import type { PermissionName } from './permissions.ts';
import type { RequestParams, ResourceRequest } from './resource-request.ts';

/** What a container page and the proxy say to each other. Everything here is JSON. */

/** One item of the body of `POST /gantry/instances`. */
export interface InstanceRequest {
  readonly app: string;
  /** Whose page the gadget stands on; the viewer's own when absent. */
  readonly owner?: string;
  /** `home` when absent. */
  readonly view?: string;
}

/** A gadget that the proxy agreed to run on this page. */
export interface Instance {
  readonly instance: string;
  /** Gadget token for `POST /gantry/calls`. Never handed to an app's frame. */
  readonly token: string;
  /** Seconds until the token must be renewed by asking for the instance again. */
  readonly expiresIn: number;
  /** Absolute URL of the app's document, without fragment. */
  readonly document: string;
  /** The same for each view that has a page of its own, by the view's name. Absent where one page serves every view. */
  readonly documents?: Readonly<Record<string, string>>;
  /** The frame's `sandbox` attribute. */
  readonly sandbox: string;
  /** What to begin with at `POST /gantry/events`, so that no change from here on is missed. Absent while nobody is signed in. */
  readonly since?: string;
  /**
   * Stable text naming where results come from and for which registration of the app; part of every cache key. A new
   * one says that nothing known under the old one belongs to this app.
   */
  readonly upstream: string;
  /** Asked as soon as the page knows the instance, before its frame exists. */
  readonly preload: readonly ResourceRequest[];
  readonly consent: Consent;
  /** Calls that the app's manifest lists in `uses`, for its author: only on a site of the machine itself. */
  readonly declared?: readonly string[];
  /** When the viewer last took something back from the app, in milliseconds since the epoch; 0 if never. */
  readonly revokedAtMs: number;
  /** With the last permission the member can also take back what the app saved: `GrantsRequest.removesData`. */
  readonly canRemoveData?: boolean;
  readonly context: GadgetContext;
}

/** What the signed-in member has yet to decide about an app. Nobody decides while nobody is signed in. */
export interface Consent {
  /** Without these the app is not started. */
  readonly needed: readonly PermissionName[];
  /** What the app can ask for while it runs, granted or not. */
  readonly optional: readonly PermissionName[];
}

/** What an app may know about itself and its page without asking. */
export interface GadgetContext {
  readonly app: { readonly id: string; readonly title: string };
  /** Member id; absent when nobody is signed in. */
  readonly viewer?: string;
  readonly owner?: string;
  readonly view: string;
  /** Views that the app has, without their sub-views. */
  readonly views: readonly string[];
  /** Who decides about the height of the frame; the app itself, when it asks, where absent. */
  readonly sizing?: 'fixed' | 'maximal' | 'automatic';
  /** Initial height of the frame in CSS pixels. */
  readonly height: number;
  /** Operations that the site can answer, for `osapi.has` and for services that are `undefined`. */
  readonly operations: readonly string[];
  /** What the viewer allowed the app. */
  readonly permissions: readonly PermissionName[];
}

/** Answer of `POST /gantry/instances`: one item per request, in order. */
export type InstanceAnswer = Reply<Instance>;

/** Body of `POST /gantry/calls`. */
export interface CallsRequest {
  /** Gadget tokens by instance. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
}

export interface Call {
  /** Names the call within this request. */
  readonly id: string;
  readonly instance: string;
  readonly operation: string;
  readonly params: RequestParams;
  /** Of a write: what it is called however often it is sent, as `isWriteId` says. Under one id a write is done once. */
  readonly write?: string;
}

/** Body of `POST /gantry/events`: who wants to hear what changes. */
export interface EventsRequest {
  /** Gadget tokens by instance, of one viewer. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Of instances, or `id` of the last event that was heard: the earliest counts. */
  readonly since: readonly string[];
}

/**
 * Why a stream of events ends. `expired`: a token did, or what said who is signed in, so come back with new ones.
 * `later`: the server stops or is in trouble; come back, perhaps to another one.
 */
export type EventsEnd = 'expired' | 'later';

/** One line of the NDJSON answer of `POST /gantry/calls`; lines come in the order in which answers are ready. */
export type CallReply = { readonly id: string } & Reply;

/** Body of `POST /gantry/grants`: a decision of the signed-in member. */
export interface GrantsRequest {
  /** Gadget token of the app that is decided about, so that nobody decides for whoever signed in meanwhile. */
  readonly token: string;
  /** Allowed from now on. What the app's manifest does not declare is left out. */
  readonly grant?: readonly PermissionName[];
  /** Refused from now on. */
  readonly revoke?: readonly PermissionName[];
  /** Also remove what the app saved for the member, if nothing is granted then. False when absent. */
  readonly removesData?: boolean;
}

/** Answer of `POST /gantry/grants`: how things stand then. */
export interface GrantsAnswer extends Consent {
  readonly granted: readonly PermissionName[];
}
