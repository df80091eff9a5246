import type { Entry } from '@gantry/lab';
import type { Explainer, Explanation } from '@gantry/lab/record';

/** A problem of an app, from its first entry until it is resolved. */
export interface Problem extends Explanation {
  readonly app: string;
  /** Times it was seen. */
  readonly count: number;
}

export interface ProblemListener {
  /** A problem is new, or back after it was resolved. */
  onProblem(problem: Problem): void;
  /** A problem was repeated. */
  onCount(problem: Problem): void;
  onResolved(problem: Problem): void;
}

/** Writes a run: its problems, and other entries as they come. */
export type RunWriter = ProblemListener & { onEntry(entry: Entry): void };

interface Open {
  problem: Problem;
  /** Last reported count. */
  reported: number;
  /** Occurred at the start of the app: a start without it resolves it. */
  readonly isOfStart: boolean;
  /** Not repeated since the app was reloaded. */
  isUnconfirmed: boolean;
}

const startMs = 5_000;
const quietMs = 2_000;
const countEveryMs = 5_000;
const mostOpen = 200;
const mostPlaces = 5;

/**
 * Follows the problems of a run: reports each once, counts repeats, and reports its end. One of
 * a build or manifest ends with the next successful read; one of the start two seconds after a
 * start without it.
 *
 * @param options.after Calls a function later; returns a function that prevents it.
 * @returns Takes the next entry.
 */
export function followProblems(options: {
  readonly explain: Explainer;
  readonly listener: ProblemListener;
  readonly after: (ms: number, run: () => void) => () => void;
}): (entry: Entry) => void {
  const { explain, listener, after } = options;
  const open = new Map<string, Open>();
  const startedAtMs = new Map<string, number>();
  const awaited = new Map<string, () => void>();
  let isCounting = false;

  function resolveWhere(test: (item: Open) => boolean): void {
    for (const [key, item] of [...open]) {
      if (!test(item)) continue;
      open.delete(key);
      listener.onResolved(item.problem);
    }
  }

  function onStart({ app = '', atMs }: Entry): void {
    startedAtMs.set(app, atMs);
    for (const item of open.values()) if (item.problem.app === app && item.isOfStart) item.isUnconfirmed = true;
    awaited.get(app)?.();
    awaited.delete(app);
  }
  function onReady(app: string): void {
    awaited.get(app)?.();
    function resolveUnconfirmed(): void {
      const isBroken = [...open.values()].some(({ problem }) => problem.app === app && kindOf(problem) !== undefined);
      if (!isBroken) resolveWhere((item) => item.problem.app === app && item.isUnconfirmed);
    }
    awaited.set(app, after(quietMs, resolveUnconfirmed));
  }

  function see(entry: Entry, explanation: Explanation): void {
    const app = entry.app ?? '';
    const key = keyFor(app, explanation);
    const item = open.get(key);
    if (item) {
      item.problem = { ...item.problem, count: item.problem.count + 1 };
      item.isUnconfirmed = false;
      count();
      return;
    }
    const isBuild = entry.kind === 'manifest' || entry.kind === 'build';
    if (isBuild) replace(app, entry.kind);
    const problem: Problem = { ...explanation, app, count: 1 };
    const isOfStart = !isBuild && entry.atMs - (startedAtMs.get(app) ?? 0) < startMs;
    open.set(key, { problem, reported: 1, isOfStart, isUnconfirmed: false });
    if (open.size > mostOpen) open.delete(open.keys().next().value as string);
    listener.onProblem(problem);
  }

  /** Problems of manifests and builds: one per app, which the next replaces without an end. */
  function replace(app: string, kind: 'manifest' | 'build'): void {
    for (const [key, { problem }] of open) if (problem.app === app && kindOf(problem) === kind) open.delete(key);
  }

  /** A problem without a subject stands for any with its id, one without a place for any place. */
  function keyFor(app: string, { id, subject, where }: Explanation): string {
    const alike = [...open].filter(
      ([, { problem }]) => problem.app === app && problem.id === id && (subject ?? problem.subject) === problem.subject,
    );
    const same = alike.find(([, { problem }]) => isSamePlace(problem.where, where));
    const item = same ?? (alike.length < mostPlaces ? undefined : alike.at(-1));
    return item?.[0] ?? JSON.stringify([app, id, subject, where?.file, where?.line]);
  }

  function count(): void {
    if (isCounting) return;
    isCounting = true;
    after(countEveryMs, () => {
      isCounting = false;
      for (const item of open.values()) {
        if (item.problem.count === item.reported) continue;
        item.reported = item.problem.count;
        listener.onCount(item.problem);
      }
    });
  }

  return (entry) => {
    const { app = '' } = entry;
    const explanation = explain(entry);
    if (explanation) return see(entry, explanation);
    if (entry.kind === 'manifest' || entry.kind === 'build') {
      resolveWhere(({ problem }) => problem.app === app && kindOf(problem) === entry.kind);
    }
    if (entry.kind === 'load' && ['start', 'reload', 'update'].includes(entry.what)) onStart(entry);
    if (entry.kind === 'load' && ['ready', 'update'].includes(entry.what)) onReady(app);
  };
}

function isSamePlace(one: Explanation['where'], other: Explanation['where']): boolean {
  return !one || !other || (one.file === other.file && one.line === other.line);
}

function kindOf({ id }: Explanation): 'manifest' | 'build' | undefined {
  if (id.startsWith('manifest-')) return 'manifest';
  return id === 'build-failed' || id === 'x-frame-options' ? 'build' : undefined;
}
