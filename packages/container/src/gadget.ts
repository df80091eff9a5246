import type { AppRequest, Leases, WriteReport } from '@gantry/bridge';
import type {
  Consent,
  GadgetContext,
  GrantsAnswer,
  GrantsRequest,
  Instance,
  Observed,
  Reply,
  WireError,
} from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { LoadEnd } from './gadget-state.ts';
import type { GadgetEvents } from './gadget-types.ts';
import type { Messages } from './messages/messages.ts';
import type { TextStorage } from './storage.ts';
import type { ToolOptions } from './tool-options.ts';

/** One mounted gadget. App, viewer and owner are settled here, not by what the app sends. */
export interface Gadget {
  readonly instance: string;
  /** As `Instance.upstream`: results and writes of another upstream are not this app's. */
  readonly upstream: string;
  /** Absolute URL of the app's document for the view that it shows. */
  readonly document: string;
  /** The frame's `sandbox` attribute. */
  readonly sandbox: string;
  /** As the proxy sent it, with permissions that the member granted since. */
  context: GadgetContext;
  consent: Consent;
  /** With the last permission the member can also take back what the app saved. */
  readonly canRemoveData: boolean;
  /** The site refused a write because the member does not have the app. */
  isNotAdded: boolean;
  onNotAdded?: () => void;
  /** Calls that the app asks members for; on a developer's machine only. */
  readonly declared: readonly string[] | undefined;
  /** Calls that the app made. */
  readonly used: ReadonlySet<string>;
  /** The member allowed the app something optional. */
  onGranted?: () => void;
  /** Sends the member's decision to all gadgets of the app in this browser. Never rejects. */
  decide(decision: Decision): Promise<Reply<GrantsAnswer>>;
  /** As `Instance.preview`, with what was heard since. */
  preview: Instance['preview'];
  /** Time since which another version is to run here, by `clock.elapsed()`. */
  outdatedAtMs?: number | undefined;
  /** Called when `preview` or `outdatedAtMs` may have changed; present while the app runs. */
  onVersion?: (() => void) | undefined;
  /**
   * Loads the version that the member is to have now, with time for the app to save. Resolves with
   * false, and nothing has changed, if the site gave none.
   *
   * @param isDue Asked when the site has answered. Default: it is.
   */
  loadAnew(isDue?: () => boolean): Promise<boolean>;
  /** Sends the member's decision about a preview, as `decide`. */
  decidePreview(accept: boolean): Promise<Reply>;
  /** Returns the apps of the page that are mounted. */
  apps(): readonly GadgetContext['app'][];
  /** Goes to a view on the member's behalf; present while the app runs. */
  go?: ((view: string) => void) | undefined;
  /** View and parameters of the app; they outlive its loads. */
  shown: Shown;
  /** Returns a value where the reply is known, else a promise. Never throws and never rejects. */
  answer(request: AppRequest, open?: OpenCall): Reply | Promise<Reply>;
  /** Pushes each result that differs from the one before. Returns the end of it. */
  watch(request: AppRequest, push: (reply: Reply) => void): () => void;
  /** Opens the leases of one load. Absent where each read of the app must be seen. */
  readonly leases?: (post: (ended: readonly number[]) => void) => Leases;
  /** Calls whose results go along with the welcome, if leases are granted. */
  readonly preloads?: readonly AppRequest[];
  /** Listens for optimistic writes that are rolled back; returns the end of it. */
  onRollback(listener: (rollback: Rollback) => void): () => void;
  readonly writes: GadgetWrites;
  readonly clock: Clock;
  readonly tools: Omit<ToolOptions, 'observe'>;
  /** Returns the storage that lasts as long as the tab. Throws where a browser denies it. */
  texts(): TextStorage;
  /** Absent without an observer. */
  readonly observed: Observation | undefined;
  close(): void;
}

/**
 * @param why `decided`: the member decided about the app, or another app has its id now.
 * `version`: it is alive, and another version of its app is to run.
 */
export type OnReplace = (why?: 'decided' | 'version') => void;

/** A question of the container about an app, above it. */
export interface Question {
  readonly text: string;
  /** BCP 47 tag of its texts. */
  readonly lang: string;
  /** The harmless one first. */
  readonly actions: readonly (readonly [label: string, act: () => void])[];
}

/** A view with its parameters. */
export interface Shown {
  readonly view: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Permissions that a member grants an app from now on, and takes back. */
export type Decision = Omit<GrantsRequest, 'token'>;

/** Permissions of an app after its viewer decided. */
export interface Decided extends GrantsAnswer {
  readonly app: string;
  /** Version whose declaration the member saw. */
  readonly version?: string | undefined;
  readonly viewer: string | null;
}

/** A viewer's decision about the preview of an app. */
export interface DecidedPreview {
  readonly app: string;
  readonly accept: boolean;
}

/** An optimistic write that is shown no longer: it failed, or its outcome is unknown. */
export interface Rollback {
  /** The call as the app wrote it. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: WireError;
}

/** The writes of one app for one viewer and owner. */
export interface GadgetWrites {
  /** Returns the newest ones, oldest first. */
  reports(): readonly WriteReport[];
  /**
   * Reports writes that wait or are done to the app and the member. Returns the end of it.
   *
   * @param known Reports that the app has already.
   */
  follow(place: BarePlace, reports: readonly WriteReport[]): () => void;
}

/** A call that an app waits for. */
export interface OpenCall {
  /** Aborts when the app gives the call up. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the way in which the page gets the result; for tools. */
  readonly onDecision?: (decision: Extract<Observed, { kind: 'decision' }>['decision'], ageMs?: number) => void;
}

/** Reports one gadget's place on the page to tools, over all loads of its app. */
export interface Observation {
  report(observed: Observed): void;
  /** Wraps the function that answers the calls of the app. */
  answer(answer: (request: AppRequest, open: OpenCall) => Reply | Promise<Reply>): Gadget['answer'];
  watch(watch: Gadget['watch']): Gadget['watch'];
  action(name: string, action: Action): Action;
}

/** A function that an app may run, from plain data to plain data. */
export type Action = (...args: unknown[]) => unknown;
export type Actions<Name extends string> = Readonly<Record<Name, Action>>;

/** One load of an app, with or without a page around it. */
export interface BarePlace {
  readonly gadget: Gadget;
  readonly messages: Messages;
  /** Sends an event to the app. Lost before the app's hello and after the load's end. */
  emit(name: string, data: unknown): void;
  /** Resolves when no load of the page is pending. */
  whenLoaded(): Promise<void>;
  /** BCP 47 tag of the page, where nothing nearer says another. */
  readonly locale: string;
  /** Dispatches an event of the element that bubbles out of shadow trees. */
  dispatch: DispatchEvent;
  /** Sends the app its context, if that has changed. */
  update(): void;
  /** Reloads the document of the gadget's view, with time for the app to save. */
  reload(): void;
  /** Ends this load for something that the app did. */
  fail(why: LoadEnd): void;
  /** Sets the app's own title, or its registered one. */
  retitle(title?: string): void;
  /** Shows a text for the app's author above the app, until it is closed or the load is over. */
  warn(text: string): void;
}

/** Dispatches an event of the element. Returns false if the page prevented its default. */
export type DispatchEvent = <Name extends keyof GadgetEvents>(
  type: Name,
  detail: GadgetEvents[Name]['detail'],
) => boolean;

/** One load of an app on the page, as the features of the container see it. */
export interface Place extends BarePlace {
  /** The `<gantry-gadget>` itself. */
  readonly element: HTMLElement;
  readonly frame: HTMLIFrameElement;
  /** Asks the member about the app's version until the load is over; without `question` no more. */
  ask(about: 'version' | 'preview', question?: Question): void;
}
