/** Word by which the dev host's page knows an agent's first message, which brings the port. */
const greeting = 'gantry-dev-agent';

/** Makes the agent's port, and hands the other end to the page around the frame. */
export function openAgentPort(window: Window): MessagePort {
  const { port1, port2 } = new MessageChannel();
  window.parent.postMessage({ [greeting]: 1 }, '*', [port2]);
  return port1;
}
