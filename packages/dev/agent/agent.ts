import type { AgentMessage } from '@gantry/dev/protocol';
import { replaceHotSocket } from './hot-socket.ts';
import { openAgentPort } from './port.ts';

// Runs before anything of the app. What it sees goes to the dev host's page over a port of its own; the app's is not touched.
const port = openAgentPort(window);
const hello: AgentMessage = { type: 'hello' };
port.postMessage(hello);
replaceHotSocket(window, port);
