// Messages between the agent in a gadget's frame and the page around it, over the agent's own port.

import type { ClockState } from './jumping-clock.ts';
import type { LabEvent } from './record/entry.ts';

/** Member of an agent's first message to the page, which brings the agent's port. */
export const agentGreeting = 'gantry-agent';

/** Message of the agent to the page. */
export type AgentMessage =
  | { readonly type: 'hello' }
  /** The frame has done what message `turn` asks, and the timers that became due have fired. */
  | { readonly type: 'followed'; readonly turn: number }
  /** Observed in the frame: errors, refusals of its policy, console, long tasks. */
  | { readonly type: 'seen'; readonly event: LabEvent };

/** Message of the page to the agent. */
export type PageMessage =
  /** The page is online, or offline. */
  | { readonly type: 'network'; readonly isOnline: boolean }
  /** Asks for `followed` when the document's scripts have run and its next frame is drawn. */
  | { readonly type: 'draw'; readonly turn: number }
  /** Time of the lab, numbered by `turn`. `isBeginning`: for a document that just loaded. */
  | { readonly type: 'clock'; readonly clock: ClockState; readonly turn: number; readonly isBeginning?: boolean };

/** Settings of the agent, written into the page before it as `globalThis.gantryAgent`. */
export interface AgentSettings {
  /** Origin of the page around the frame. */
  readonly origin: string;
  readonly app: string;
  /** Time of the lab when the page was served. */
  readonly clock: ClockState;
  readonly timeZone?: string;
}
