// Messages between the agent in a frame of a gadget and the page around it, over the agent's own port.
import type { Happening } from './record.ts';

/** Member of an agent's first message to the page, which brings the agent's port. */
export const agentGreeting = 'gantry-agent';

/** Message of the agent to the page. */
export type AgentMessage =
  | { readonly type: 'hello' }
  /** Observed in the frame: errors, refusals of its policy, console, long tasks. */
  | { readonly type: 'seen'; readonly happening: Happening };

/** Message of the page to the agent. */
export type PageMessage =
  /** Seconds by which the frame's clock is ahead. */
  { readonly type: 'clock'; readonly seconds: number };

/** Settings that the agent starts with, written into the page before it as `globalThis.gantryAgent`. */
export interface AgentSettings {
  /** Origin of the page around the frame. */
  readonly origin: string;
  readonly app: string;
  readonly clockSeconds: number;
  readonly timeZone?: string;
}
