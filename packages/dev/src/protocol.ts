// Messages between the dev host's page and its server, under /dev/. Same origin only.
import type { AppInLab, Entry, Persona, Scenario } from '@gantry/lab';
import type { AgentMessage as LabAgentMessage, PageMessage as LabPageMessage } from '@gantry/lab/agent-protocol';
import type { Explanation } from '@gantry/lab/record';
import type { TapeHead } from '@gantry/lab/tape';

export type { Persona } from '@gantry/lab';
export type { AgentSettings } from '@gantry/lab/agent-protocol';
export type {
  MountableStory,
  StoriesAnswer,
  StoryFacts,
  StoryProblem,
  StoryRequest,
} from './story-protocol.ts';

/** Request header by which the page names the lab that a request of its container is for. */
export const labHeader = 'Gantry-Lab';

/** Body of `POST /dev/labs`: makes a lab. */
export interface LabRequest {
  /** Id of a story, whose world and settings the lab gets. */
  readonly story?: string;
  readonly scenario: Scenario;
}

/** Answer of `POST /dev/labs`. */
export interface LabAnswer {
  /** For `labHeader`. */
  readonly lab: string;
  readonly apps: readonly AppFacts[];
  /** Suggested viewers; the first is the default. */
  readonly personas: readonly Persona[];
  /** Names of worlds that can be asked for. */
  readonly worlds: readonly string[];
}

export interface AppFacts extends AppInLab {
  /** Problem of its `gadget.json` in one line: it cannot be shown. */
  readonly problem?: string;
}

/** Body of `POST /dev/labs/<lab>/clock`. Several members take effect in this order. */
export interface ClockRequest {
  /** Milliseconds since the epoch, or true for this moment. */
  readonly stop?: number | true;
  /** Milliseconds. */
  readonly jumpMs?: number;
  readonly start?: true;
}

/** Answer of `POST /dev/labs/<lab>/clock`. */
export interface ClockAnswer {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Milliseconds by which the lab is ahead of the system's clock. */
  readonly offsetMs: number;
  readonly isStopped: boolean;
}

/** Body of `POST /dev/labs/<lab>/faults`: ends all, sets the network, or arms one fault. */
export interface FaultRequest {
  readonly clear?: true;
  readonly network?: NonNullable<Scenario['network']>;
  readonly once?: {
    /** As apps write it, of a row of the API, or `*`. */
    readonly operation: string;
    readonly viewer?: string;
    readonly app?: string;
    readonly fail?: { readonly status: number; readonly reason?: string };
    readonly delayMs?: number;
    readonly dropReply?: true;
    readonly kill?: true;
  };
}

/** Body of `POST /dev/labs/<lab>/permissions`. */
export interface PermissionRequest {
  readonly permissions?: NonNullable<Scenario['permissions']>;
  /** Withdraws a permission from all apps, until faults are cleared. */
  readonly deny?: string;
}

/** Data of one server-sent event of `GET /dev/events`. */
export type DevEvent =
  | { readonly type: 'entry'; readonly entry: Entry; readonly explanation?: Explanation }
  /** Gadgets of an app must reload and keep `gantry.state`; `mount` after a changed manifest. */
  | { readonly type: 'reload'; readonly app: string; readonly mount?: boolean; readonly why?: string }
  /** A build failed, or works again. */
  | { readonly type: 'build'; readonly app: string; readonly problem?: BuildProblem }
  /** Story files changed. */
  | { readonly type: 'stories' };

export interface BuildProblem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Lines of the source around it. */
  readonly frame?: string;
}

/** Answer of `GET /dev/hot`. */
export interface HotAnswer {
  /** Id of the run. A new run has new labs, so the page reloads. */
  readonly run: string;
  readonly apps: Readonly<Record<string, HotApp>>;
}

export interface HotApp {
  /** Path and query of the update socket. Absent: the files are served as they are. */
  readonly socket?: string;
  readonly problem?: BuildProblem;
}

/** Answer of `GET` and `POST /dev/tape`. */
export interface TapeAnswer {
  readonly head: TapeHead;
  readonly lines: readonly { readonly entry: Entry; readonly explanation?: Explanation }[];
  /** Sentences about what could not be read. */
  readonly problems: readonly string[];
  /** Name of its file; absent for one that a page sent. */
  readonly name?: string;
  /** Id under which its app is here. */
  readonly app?: string;
}

/** Message of the agent in an app's frame to the dev host's page, over its own port. */
export type AgentMessage =
  | LabAgentMessage
  /** Text that Vite's client sends over its socket; `null` asks for a connection. */
  | { readonly type: 'hot'; readonly data: string | null }
  /** A script or style of the page did not load, so it cannot be updated. */
  | { readonly type: 'incomplete' };

/** Message of the page to the agent. */
export type PageMessage =
  | LabPageMessage
  /** Text of Vite's server; `null` says that the connection is open. */
  | { readonly type: 'hot'; readonly data: string | null };
