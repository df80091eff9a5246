import type { AgentMessage, AgentSettings } from '@gantry/lab/agent-protocol';
import { openAgentPort, startAgent } from './index.ts';

declare const gantryAgent: AgentSettings;

// The agent for apps whose files are served as they are: a classic inline script before the app.
const port = openAgentPort(window);
port.postMessage({ type: 'hello' } satisfies AgentMessage);
startAgent({ port, settings: gantryAgent });
