import { type AgentMessage, agentGreeting, type PageMessage } from '@gantry/lab/agent-protocol';
import type { ClockState } from '@gantry/lab/jumping-clock';
import { createTokenBucket } from '@gantry/wire/runtime';
import type { Report } from './report.ts';

/** An element that shows an app in a frame. */
export interface GadgetElement extends HTMLElement {
  readonly state?: string;
  reload(): void;
}

/** The gadget that a frame belongs to. */
export interface AgentAt {
  readonly lab: string;
  readonly app: string;
  readonly place?: string;
  readonly gadget?: GadgetElement;
}

/** The agent in one document of a gadget. */
export interface Agent {
  readonly gadget: GadgetElement;
  /** Id of the gadget's app. */
  readonly app: string;
  /** Its own port. Further listeners may be added. */
  readonly port: MessagePort;
}

/** The agents in the frames of a page. */
export type Agents = ReturnType<typeof acceptAgents>;

/** A place on the page in which a member's gadget is shown. */
export interface GadgetFacts {
  readonly gadget: GadgetElement | undefined;
  readonly lab: { readonly lab: string } | undefined;
  readonly app: string;
  readonly viewer: string;
}

/** Returns a function that finds the gadget of a frame's window among those on the page. */
export function whereIn(gadgets: () => Iterable<GadgetFacts>): (frame: MessageEventSource) => AgentAt | undefined {
  return (frame) => {
    for (const { gadget, lab, app, viewer } of gadgets()) {
      if (lab === undefined || gadget?.shadowRoot?.querySelector('iframe')?.contentWindow !== frame) continue;
      return { lab: lab.lab, app, place: `${viewer}/${app}#1`, gadget };
    }
    return undefined;
  };
}

const rate = { perMinute: 6_000, burst: 400 };
const mostAgents = 200;
const patienceMs = 5_000;
const lookEveryMs = 100;

interface Followed extends AgentAt {
  readonly frame: MessageEventSource;
  readonly port: MessagePort;
}

/**
 * Accepts the ports of agents, and reports what they observe. A port belongs to the frame that sent
 * it, the first of each frame: an app that greets in place of its agent adds only entries of its
 * own.
 *
 * @param options.whereIs Returns the gadget that a window is the frame of, if any.
 * @param options.onAgent Gets the agent of each document that loads in a gadget.
 * @param options.now Milliseconds since any moment.
 */
export function acceptAgents(options: {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  readonly whereIs: (frame: MessageEventSource) => AgentAt | undefined;
  readonly report: Report;
  readonly onAgent?: (agent: Agent) => void;
  readonly now?: () => number;
}) {
  const { window, whereIs, report, onAgent, now = () => performance.now() } = options;
  const greeted = new WeakSet<MessageEventSource>();
  const agents = new Set<Followed>(); // agents of closed frames receive nothing
  const clocks = new Map<string, ClockState>();
  let turn = 0;

  function onMessage({ data, source, ports }: MessageEvent): void {
    const [port] = ports;
    if (source === null || port === undefined || typeof data !== 'object' || data?.[agentGreeting] !== 1) return;
    const at = greeted.has(source) ? undefined : whereIs(source);
    if (at === undefined) return;
    greeted.add(source);
    const agent = { ...at, frame: source, port };
    agents.add(agent);
    if (agents.size > mostAgents) agents.delete(agents.values().next().value as typeof agent);
    listen(port, at);
    const clock = clocks.get(at.lab);
    if (clock) port.postMessage({ type: 'clock', clock, turn, isBeginning: true } satisfies PageMessage);
    if (at.gadget) onAgent?.({ gadget: at.gadget, app: at.app, port });
  }

  function listen(port: MessagePort, { lab, app, place }: AgentAt): void {
    const spend = createTokenBucket({ ...rate, now });
    function onAgent({ data }: MessageEvent<AgentMessage>): void {
      if (data?.type !== 'seen' || typeof data.event !== 'object' || data.event === null) return;
      if (spend(1) < 0)
        port.removeEventListener('message', onAgent); // the agent sends less: the app uses its port
      else report({ ...data.event, lab, app, ...(place !== undefined && { place }) });
    }
    port.addEventListener('message', onAgent);
    port.start();
  }

  function whenFollowed({ app, frame, port }: Followed, turn: number, limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let waitedMs = 0;
      const looking = setInterval(() => {
        waitedMs += lookEveryMs;
        if (whereIs(frame) === undefined) end();
        else if (waitedMs >= limitMs) end(new Error(`The frame of ${app} does not follow the clock: it is busy.`));
      }, lookEveryMs);
      function onAnswer({ data }: MessageEvent<AgentMessage>): void {
        if (data?.type === 'followed' && data.turn === turn) end();
      }
      function end(error?: Error): void {
        clearInterval(looking);
        port.removeEventListener('message', onAnswer);
        if (error) reject(error);
        else resolve();
      }
      port.addEventListener('message', onAnswer);
    });
  }

  /** Asks the frames of a lab, and resolves when all have done so. */
  async function ask(lab: string, message: PageMessage & { readonly turn: number }, limitMs: number): Promise<void> {
    const frames = [...agents].filter((agent) => agent.lab === lab && whereIs(agent.frame) !== undefined);
    await Promise.all(
      frames.map((agent) => {
        const following = whenFollowed(agent, message.turn, limitMs);
        agent.port.postMessage(message);
        return following;
      }),
    );
  }

  window.addEventListener('message', onMessage);
  return {
    setOnline(isOnline: boolean): void {
      for (const { port } of agents) port.postMessage({ type: 'network', isOnline } satisfies PageMessage);
    },
    /**
     * Sets the time of a lab's frames, those that load later too.
     *
     * @returns Resolves when all follow.
     * @throws Error that names a gadget whose frame does not follow in five seconds.
     */
    setClock(lab: string, clock: ClockState): Promise<void> {
      turn += 1;
      clocks.set(lab, clock);
      return ask(lab, { type: 'clock', clock, turn }, patienceMs);
    },
    /** Resolves when the frames of a lab have handled and drawn all that the page posted. */
    drawn(lab: string): Promise<void> {
      turn += 1;
      return ask(lab, { type: 'draw', turn }, Number.POSITIVE_INFINITY);
    },
    close: (): void => window.removeEventListener('message', onMessage),
  };
}
