import type { PageContext } from '@gantry/bridge';
import type { Gadget } from './gadget.ts';
import type { GadgetEvents } from './gadget-types.ts';
import type { Messages } from './messages/messages.ts';
import type { LoadEnd } from './start-app.ts';

/** Element and frame of a load: all that features need a browser for. */
export interface Surroundings {
  /** The `<gantry-gadget>` itself. */
  readonly element: HTMLElement;
  readonly frame: HTMLIFrameElement;
}

/** One load of an app on the page, as the features of the container see it. */
export interface Place extends BarePlace, Surroundings {}

/** One load of an app, whether a page is around it or not. */
export interface BarePlace {
  readonly gadget: Gadget;
  readonly messages: Messages;
  /** Tells the app. Before its hello and after its end nobody hears. */
  emit(name: string, data: unknown): void;
  /** Resolves when nothing that loads would be kept waiting. */
  whenArrived(): Promise<void>;
  /** BCP 47 tag of the page, where nothing nearer says another. */
  readonly locale: string;
  /** Tells the page, with an event of the element that bubbles out of shadow trees. False if the page prevented what follows. */
  tell: TellPage;
  /** Tells the app its context as it is now, where that differs from what it heard last. */
  update(): void;
  /** Ends this load, with time for the app to save, and loads the document of the view that the gadget shows now. */
  reload(): void;
  /** Ends this load for what the app did. */
  fail(why: LoadEnd): void;
  /** The app's own title; its registered one without. */
  retitle(title?: string): void;
  /** Shows a text above the app, for its author, until it is closed or the load is over. */
  warn(text: string): void;
}

/** Dispatches an event of the element. */
export type TellPage = <Name extends keyof GadgetEvents>(type: Name, detail: GadgetEvents[Name]['detail']) => boolean;

/** Runs for an app. Its arguments are whatever plain data the app wrote; what it returns or resolves to is plain data. */
export type Action = (...args: unknown[]) => unknown;

/** One thing that the container does for an app beside answering its requests. Made anew for each load. */
export interface Feature {
  /** What the app may run, by name. */
  readonly actions?: Readonly<Record<string, Action>>;
  /** Its share of what the app learns with the welcome. */
  context?(): Partial<PageContext>;
  /** The app said hello and holds its port. */
  ready?(): void;
  /** The load is over. */
  end?(): void;
}

/** A feature that takes a `BarePlace` works without a page. */
export type CreateFeature<At extends BarePlace = Place> = (place: At) => Feature;
