// Counts the processor time of programs with all processes that they start. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100; // of /proc, on every Linux

/**
 * Watches processes by reading `/proc`. Chromium leaves processes that nobody waits for, so that
 * the time of waited-for children (`getrusage`) lacks half of a browser test.
 *
 * A process counts with its last reading; children that ended between two readings count with what
 * their parent has of them.
 *
 * @param options.read Returns one `stat` line for each process. Empty where there is no `/proc`.
 */
export function watchProcesses({ read = readStats, everyMs = 500 } = {}) {
  const stats = new Map(); // by process id and start
  const roots = new Map();
  let running = new Set(); // keys of the last reading

  function scan() {
    const all = read().map(parseStat);
    const byId = new Map(all.map((one) => [one.id, one]));
    running = new Set(all.filter(({ state }) => state !== 'Z').map(({ id, startedAt }) => `${id} ${startedAt}`));
    for (const one of all) {
      const key = `${one.id} ${one.startedAt}`;
      const before = stats.get(key);
      const name = before?.name ?? nameOf(one, byId);
      if (name !== undefined) stats.set(key, { ...one, name, parentKey: before?.parentKey ?? keyOf(one.parent, byId) });
    }
  }

  // A process belongs to the first root among those that it descends from.
  function nameOf(one, byId) {
    for (let at = one; at; at = byId.get(at.parent)) {
      const name = roots.get(at.id) ?? stats.get(`${at.id} ${at.startedAt}`)?.name;
      if (name !== undefined) return name;
    }
    return undefined;
  }

  const timer = setInterval(scan, everyMs).unref();
  return {
    /** Counts this process, and those that it starts, for a name. */
    add(id, name) {
      roots.set(id, name);
      scan();
    },
    scan,
    /** Returns the processes of a name that have not ended. Empty where there is no `/proc`. */
    running(name) {
      scan();
      return [...stats].flatMap(([key, one]) => (running.has(key) && one.name === name ? [one] : []));
    },
    /** Returns the seconds of processor time so far, `undefined` where they cannot be read. */
    seconds(name) {
      const ofPart = [...stats.entries()].filter(([, one]) => one.name === name);
      if (ofPart.length === 0) return undefined;
      const counted = new Map(); // of its children, by parent
      for (const [, { parentKey, time, ended }] of ofPart) {
        counted.set(parentKey, (counted.get(parentKey) ?? 0) + time + ended);
      }
      const ticks = ofPart.reduce((sum, [key, { time, ended }]) => {
        return sum + time + Math.max(0, ended - (counted.get(key) ?? 0));
      }, 0);
      return ticks / ticksPerSecond;
    },
    stop: () => clearInterval(timer),
  };
}

function keyOf(id, byId) {
  const parent = byId.get(id);
  return parent && `${id} ${parent.startedAt}`;
}

// The second field is a program's name in parentheses, which may contain any characters.
function parseStat(line) {
  const [state, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const fields = [0, ...rest.map(Number)];
  const program = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'));
  const [parent, user, system, endedUser, endedSystem, startedAt] = [1, 11, 12, 13, 14, 19].map((at) => fields[at]);
  return {
    id: Number.parseInt(line, 10),
    program,
    state,
    parent,
    startedAt,
    time: user + system,
    ended: endedUser + endedSystem,
  };
}

function readStats() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(`/proc/${name}/stat`, 'utf8')];
    } catch {
      return []; // ended meanwhile
    }
  });
}
