import { agentGreeting } from '@gantry/lab/agent-protocol';

/** Makes the agent's port, and posts the other end to the page around the frame. */
export function openAgentPort(window: Window): MessagePort {
  const { port1, port2 } = new MessageChannel();
  window.parent.postMessage({ [agentGreeting]: 1 }, '*', [port2]);
  return port1;
}
