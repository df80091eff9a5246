import type { AgentMessage, AgentSettings } from '@gantry/dev/protocol';
import { openAgentPort, startAgent } from '@gantry/lab/agent';
import { replaceHotSocket } from './hot-socket.ts';

declare const gantryAgent: AgentSettings;

// Runs before the app, over a port of its own to the dev host's page.
const port = openAgentPort(window);
port.postMessage({ type: 'hello' } satisfies AgentMessage);
replaceHotSocket(window, port);
startAgent({ port, settings: gantryAgent });
