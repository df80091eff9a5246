import type { AgentMessage, PageMessage } from '@gantry/dev/protocol';
import type { Report } from './report.ts';

/** The gadget that a frame belongs to. */
export interface AgentAt {
  readonly lab: string;
  readonly app: string;
  readonly place?: string;
}

/** The agent in one document of an app. */
export interface Agent extends AgentAt {
  send(message: PageMessage): void;
  /** Hears what Vite's client sends over its socket; `null` asks for a connection. */
  onHot: ((data: string | null) => void) | undefined;
}

const greeting = 'gantry-dev-agent'; // as in agent/port.ts
const burst = 400;
const perSecond = 100;

/**
 * Takes the ports of agents in the frames of this page, and reports what they saw. A port belongs to the frame that sent it,
 * the first of each document, so an app that greets in the agent's place writes entries of its own only.
 *
 * @param options.whereIs Returns the gadget that a window is the frame of; `undefined` for any other window.
 * @param options.now Milliseconds since any moment.
 * @returns Stops taking ports.
 */
export function acceptAgents(options: {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  readonly whereIs: (frame: MessageEventSource) => AgentAt | undefined;
  readonly report: Report;
  readonly onAgent?: (agent: Agent) => void;
  readonly now?: () => number;
}): () => void {
  const { window, whereIs, report, onAgent, now = () => performance.now() } = options;
  const greeted = new WeakSet<MessageEventSource>();

  function onMessage({ data, source, ports }: MessageEvent): void {
    const [port] = ports;
    if (source === null || port === undefined || typeof data !== 'object' || data?.[greeting] !== 1) return;
    const at = greeted.has(source) ? undefined : whereIs(source);
    if (at === undefined) {
      port.close();
      return;
    }
    greeted.add(source);
    const agent: Agent = { ...at, onHot: undefined, send: (message) => port.postMessage(message) };
    onAgent?.(agent);
    listen(port, agent);
  }

  function listen(port: MessagePort, agent: Agent): void {
    const { lab, app, place } = agent;
    let allowance = burst;
    let countedAtMs = now();
    port.onmessage = ({ data }: MessageEvent<AgentMessage>) => {
      if (data?.type === 'hot') {
        agent.onHot?.(data.data);
        return;
      }
      if (data?.type !== 'seen' || typeof data.happening !== 'object' || data.happening === null) return;
      const nowMs = now();
      allowance = Math.min(burst, allowance + ((nowMs - countedAtMs) / 1_000) * perSecond) - 1;
      countedAtMs = nowMs;
      if (allowance < 0)
        port.close(); // our agent sends less: it is the app that speaks
      else report({ ...data.happening, lab, app, ...(place !== undefined && { place }) });
    };
  }

  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}
