// Stories as the dev host's page and server name them, under /dev/stories. Same origin only.
import type { Scenario } from '@gantry/lab';

/** Answer of `GET /dev/stories`: every story of every app, in the order of their files. */
export interface StoriesAnswer {
  readonly stories: readonly StoryFacts[];
  /** Files and exports that are no stories, with the reason. */
  readonly problems: readonly StoryProblem[];
  /** Ids of the apps that can have stories, so that a page can say where the first one goes. */
  readonly apps: readonly { readonly id: string; readonly folder: string }[];
}

export interface StoryFacts {
  /** `<app id>/<export name>` */
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly title: string;
  readonly file: string;
  /** Increases when the file, or an import, has changed. */
  readonly revision: number;
  /** Its settings; without `world` where a function makes that. */
  readonly scenario: Scenario;
  /** A function makes its world: the lab needs its id. */
  readonly makesWorld: boolean;
}

export interface StoryProblem {
  readonly app: string;
  readonly file: string;
  /** The export; absent where the file as a whole could not be loaded. */
  readonly name?: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Body of `POST /dev/stories`: asks for a story with some of its members replaced. */
export interface StoryRequest {
  /** Id of a story, or of an app, which is shown as it is without one. */
  readonly story: string;
  readonly props?: Readonly<Record<string, unknown>>;
}

/** Answer of `POST /dev/stories`: all that a page needs to show the story. */
export interface MountableStory extends Pick<StoryFacts, 'id' | 'app' | 'scenario'> {
  /** Set where the id is a story's: its world may be made by a function. */
  readonly story?: string;
  /** Value of `gantry.state` at the start. */
  readonly state?: unknown;
}
