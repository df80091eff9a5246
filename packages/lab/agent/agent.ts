import type { AgentMessage, AgentSettings } from '@gantry/lab/agent-protocol';
import { openAgentPort, startAgent } from './index.ts';

declare const gantryAgent: AgentSettings;

// The whole agent of tools that serve an app's files as they are: one classic script, inline, before anything of the app.
const port = openAgentPort(window);
port.postMessage({ type: 'hello' } satisfies AgentMessage);
startAgent({ port, settings: gantryAgent });
