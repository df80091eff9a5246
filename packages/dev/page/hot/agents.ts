import { type AgentMessage, agentGreeting, type PageMessage } from '@gantry/dev/protocol';

/** An element that shows an app in a frame. */
export interface HotGadget extends HTMLElement {
  readonly state?: string;
  reload(): void;
}

/** The agent in one document of a gadget. */
export interface Agent {
  readonly gadget: HotGadget;
  /** Id of the gadget's app. */
  readonly app: string;
  post(message: PageMessage): void;
  /** Hears what the agent says. */
  onMessage(listener: (message: AgentMessage) => void): void;
  close(): void;
}

/**
 * Calls back with the agent of each document that loads in one of the gadgets. Messages of any other window are left alone.
 *
 * @returns Ends it.
 */
export function acceptAgents(gadgets: () => Iterable<HotGadget>, onAgent: (agent: Agent) => void): () => void {
  function onGreeting({ data, source, ports }: MessageEvent): void {
    const [port] = ports;
    if (port === undefined || typeof data !== 'object' || data === null || !(agentGreeting in data)) return;
    const gadget = [...gadgets()].find((one) => frameOf(one)?.contentWindow === source);
    if (gadget) onAgent(agentAt(gadget, port));
  }
  window.addEventListener('message', onGreeting);
  return () => window.removeEventListener('message', onGreeting);
}

function agentAt(gadget: HotGadget, port: MessagePort): Agent {
  return {
    gadget,
    app: gadget.getAttribute('app') ?? '',
    post: (message) => port.postMessage(message),
    onMessage(listener) {
      // Others listen to the same port: each gets every message.
      port.addEventListener('message', ({ data }: MessageEvent<AgentMessage>) => listener(data));
      port.start();
    },
    close: () => port.close(),
  };
}

function frameOf(gadget: HTMLElement): HTMLIFrameElement | null | undefined {
  return gadget.shadowRoot?.querySelector('iframe');
}
