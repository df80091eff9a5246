import { isRecord } from '@gantry/wire';
import type { Entry } from '../record/entry.ts';
import { explain } from './explain.ts';
import { isWrite } from './explain-reply.ts';
import type { Explanation } from './explanation.ts';
import type { ManifestFacts } from './manifest-line.ts';
import { problem } from './problems.ts';

/** Explains the entries of one record, one after the other. */
export type Explainer = (entry: Entry) => Explanation | undefined;

const mostCalls = 2_000;
const mostGadgets = 200;
/** So many writes of a gadget in that time are a loop: nobody clicks or types as fast. */
const loop = { times: 30, seconds: 3 };
/** Refusals that such a loop causes: the minute's calls, or the room for writes that wait. */
const causedByLoop: readonly string[] = ['rate-limited', 'storage-full'];
/** Problems that may keep the SDK from starting, and those that its silence looks like. */
const keepsFromStart: readonly string[] = ['not-a-module', 'absolute-path', 'busy'];
const ofSilence: readonly string[] = ['no-sdk', 'page-unreachable'];
const needsFiles: readonly Entry['kind'][] = ['file'];

/**
 * Makes an explainer that remembers which call a reply belongs to, and which gadgets have a height.
 *
 * @param options.manifestOf Content of an app's `gadget.json`, read when an explanation needs it.
 * @param options.filesOf Paths of an app's files, to suggest the right name.
 * @param options.isRemote Returns true for an app with a server of its own. Default: none has.
 */
export function createExplainer(options: {
  readonly manifestOf?: (app: string) => ManifestFacts | undefined;
  readonly filesOf?: (app: string) => readonly string[];
  readonly isRemote?: (app: string) => boolean;
}): Explainer {
  const { manifestOf, filesOf, isRemote } = options;
  const calls = new Map<string, { readonly operation: string; readonly params: unknown }>();
  const heights = new Set<string>();
  const writes = new Map<string, { readonly atMs: number[]; loops?: Explanation }>();
  const notBuilt = new Set<string | undefined>();
  /** Apps with such a problem, and the load that ends it. */
  const hindered = new Map<string | undefined, 'start' | 'ready'>();

  function loopOf(entry: Entry & { readonly kind: 'call' }): Explanation | undefined {
    const { operation: call, atMs } = entry;
    if (!isWrite(call)) return undefined;
    const key = keyOf(entry);
    const history = writes.get(key) ?? { atMs: [] };
    writes.set(key, history);
    if (writes.size > mostGadgets) writes.delete(writes.keys().next().value as string);
    const first = history.atMs.length < loop.times - 1 ? undefined : history.atMs.shift();
    history.atMs.push(atMs);
    if (first === undefined || atMs - first > loop.seconds * 1_000) return undefined;
    history.loops = { ...problem('write-loop', { call, ...loop }), subject: call };
    return history.loops;
  }

  return (entry) => {
    const { app } = entry;
    if (entry.kind === 'call') {
      calls.set(keyOf(entry, entry.call), { operation: entry.operation, params: entry.params });
      if (calls.size > mostCalls) calls.delete(calls.keys().next().value as string);
      return loopOf(entry) ?? explainOne(entry);
    }
    if (setsHeight(entry)) heights.add(keyOf(entry));
    if (heights.size > mostCalls) heights.delete(heights.keys().next().value as string);
    if (entry.kind === 'build') {
      if (entry.problem) notBuilt.add(app);
      else notBuilt.delete(app);
    }
    if (entry.kind === 'load' && entry.what === hindered.get(app)) hindered.delete(app);
    if (entry.kind === 'load' && entry.what === 'start') {
      writes.delete(keyOf(entry));
      heights.delete(keyOf(entry));
    }
    const explained = explainOne(entry);
    if (explained && keepsFromStart.includes(explained.id))
      hindered.set(app, explained.id === 'busy' ? 'ready' : 'start');
    if (explained && ofSilence.includes(explained.id) && (notBuilt.has(app) || hindered.has(app))) return undefined;
    if (explained && causedByLoop.includes(explained.id)) return writes.get(keyOf(entry))?.loops ?? explained;
    return explained;
  };

  function explainOne(entry: Entry): Explanation | undefined {
    const { app } = entry;
    return explain(entry, {
      call: entry.kind === 'reply' || entry.kind === 'push' ? calls.get(keyOf(entry, entry.call)) : undefined,
      get manifest() {
        return app === undefined ? undefined : manifestOf?.(app);
      },
      hasHeight: heights.has(keyOf(entry)),
      isRemote: app !== undefined && isRemote?.(app),
      files: app !== undefined && needsFiles.includes(entry.kind) ? filesOf?.(app) : undefined,
    });
  }
}

function setsHeight(entry: Entry): boolean {
  if (entry.kind === 'action') return entry.name === 'adjustHeight';
  if (entry.kind !== 'context' || !isRecord(entry.context)) return false;
  const { sizing, view } = entry.context;
  return sizing !== undefined || /^canvas/.test(String(view));
}

function keyOf({ lab, app, place }: Entry, call?: number): string {
  return JSON.stringify([lab, app, place, call]);
}
