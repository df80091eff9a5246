import type { AgentMessage, AgentSettings } from '@gantry/dev/protocol';
import { openAgentPort, startAgent } from '@gantry/lab/agent';
import { replaceHotSocket } from './hot-socket.ts';

declare const gantryAgent: AgentSettings;

// Runs before anything of the app. What it sees goes to the dev host's page over a port of its own; the app's is not touched.
const port = openAgentPort(window);
port.postMessage({ type: 'hello' } satisfies AgentMessage);
replaceHotSocket(window, port);
startAgent({ port, settings: gantryAgent });
