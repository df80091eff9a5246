export { openAgentPort } from './port.ts';
export { startAgent } from './start-agent.ts';
