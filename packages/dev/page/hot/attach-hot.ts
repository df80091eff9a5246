import type { AgentMessage, BuildProblem, DevEvent, HotAnswer } from '@gantry/dev/protocol';
import type { LabEvent } from '@gantry/lab';
import type { Agent, GadgetElement } from '@gantry/lab/page';
import type { DevEvents } from '../dev-events.ts';
import { createRelay, type Relay } from './relay.ts';
import { createReloads } from './reloads.ts';

interface HotOptions {
  /** The gadgets that are on the page now. */
  readonly gadgets: () => Iterable<GadgetElement>;
  readonly events: Pick<DevEvents, 'subscribe'>;
  /** Adds an event of a gadget to the record. */
  readonly report: (event: LabEvent, gadget: GadgetElement) => void;
  /** Called with the problem of an app's build on each change; without one it builds. */
  readonly onBuild?: (app: string, problem: BuildProblem | undefined) => void;
}

/**
 * Keeps gadgets up to date with their sources: sends updates into frames, reloads those that cannot
 * update in place, and reconnects after the server was away. `gantry.state` survives.
 */
export function attachHot(options: HotOptions) {
  const { gadgets, events, report, onBuild } = options;
  const relays = new Map<GadgetElement, Relay>();
  const incomplete = new WeakSet<GadgetElement>();
  const reloads = createReloads({ now: () => performance.now(), after: (ms, run) => setTimeout(run, ms) });
  let run: string | undefined;

  async function ask(): Promise<HotAnswer> {
    const response = await fetch('/dev/hot');
    const answer = (await response.json()) as HotAnswer;
    run ??= answer.run;
    if (answer.run !== run) location.reload(); // the server was restarted
    return answer;
  }

  async function showBuilds(): Promise<void> {
    const { apps } = await ask();
    for (const [app, { problem }] of Object.entries(apps)) onBuild?.(app, problem);
  }

  /** Adds the agent of a loaded document. */
  function onAgent(agent: Agent): void {
    const { gadget } = agent;
    incomplete.delete(gadget);
    relays.get(gadget)?.close();
    const relay = createRelay({
      agent,
      socketOf: async (app) => (await ask()).apps[app]?.socket,
      onReload: () => reloads.ask(gadget),
      onUpdate: (paths) => {
        // Modules that never ran cannot update, nor can a document that does not answer or is gone.
        if (incomplete.has(gadget) || isDead(gadget)) reloads.ask(gadget);
        else report({ kind: 'load', what: 'update', why: paths.join(', ') }, gadget);
      },
    });
    relays.set(gadget, relay);
    agent.port.addEventListener('message', ({ data: message }: MessageEvent<AgentMessage>) => {
      if (message.type === 'hot') relay.send(message.data);
      else if (message.type === 'incomplete') incomplete.add(gadget);
    });
    for (const [other, unused] of relays) {
      if (other.isConnected) continue;
      unused.close();
      relays.delete(other);
    }
  }

  function gadgetsOf(app: string): readonly GadgetElement[] {
    return [...gadgets()].filter((gadget) => gadget.getAttribute('app') === app);
  }

  function onEvent(event: DevEvent): void {
    if (event.type === 'reload') for (const gadget of gadgetsOf(event.app)) reloads.ask(gadget);
    if (event.type !== 'build') return;
    onBuild?.(event.app, event.problem);
    if (event.problem) return;
    for (const gadget of gadgetsOf(event.app)) {
      if (incomplete.has(gadget) || isDead(gadget)) reloads.ask(gadget);
    }
  }

  const stopEvents = events.subscribe({
    onEvent,
    onConnection(connection) {
      if (connection === 'back') void showBuilds().catch(() => {});
    },
  });
  void showBuilds().catch(() => {}); // offline: the reconnect event retries
  return {
    onAgent,
    close(): void {
      stopEvents();
      for (const relay of relays.values()) relay.close();
    },
  };
}

function isDead({ state }: GadgetElement): boolean {
  return state === 'unresponsive' || state === 'stopped' || state === 'failed';
}
