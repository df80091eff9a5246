import type { RunWriter } from './problems-of-run.ts';

/** Increases when an older reader would misread an event. New events and members do not. */
export const eventsVersion = 2;

const mostText = 4_000;

/**
 * Writes events as lines of JSON: `{"event":"problem", …}`. Each has `event`; those of an app have
 * `app`.
 *
 * | Event | Members |
 * |---|---|
 * | `ready` | `version`, `url`, `apps` (`id`, `folder`), `browser` (a page is open) |
 * | `problem` | `app`, `id`, `subject`, `what`, `cure`, `example`, `where`, `count` |
 * | `repeated` | the same, for a reported problem: its new count |
 * | `resolved` | the same, for one that is over |
 * | `load` | `app`, `what` (`start`, `ready`, `update`, `reload`, `end`, `failed`), `why` |
 * | `call` | `app`, `call`, `operation`, `params` |
 * | `reply` | `app`, `call`, `tookMs`, `size` |
 * | `refusal` | `app`, `call`, `error` (`code`, `message`, `data`) |
 * | `console` | `app`, `level`, `text`, `where` |
 * | `build`, `manifest` | `app`, `ok`; `manifest` also `asks`: new permissions |
 * | `left-out` | `app`, `count`: entries beyond the rate of reports |
 * | `end` | – |
 *
 * `where` has `file`, `line`, `column` and `text`.
 */
export function createJsonLines(write: (line: string) => void): RunWriter {
  const tell = (event: string, members: object): void => write(line({ event, ...members }));
  return {
    onProblem: (problem) => tell('problem', problem),
    onCount: (problem) => tell('repeated', problem),
    onResolved: (problem) => tell('resolved', problem),
    onEntry(entry) {
      const { app } = entry;
      switch (entry.kind) {
        case 'call':
          return tell('call', { app, call: entry.call, operation: entry.operation, params: short(entry.params) });
        case 'reply':
          return entry.error
            ? tell('refusal', { app, call: entry.call, error: entry.error })
            : tell('reply', { app, call: entry.call, tookMs: entry.tookMs, size: entry.size });
        case 'push':
          return entry.error && tell('refusal', { app, call: entry.call, error: entry.error });
        case 'console':
          return tell('console', { app, level: entry.level, text: entry.text, where: entry.where });
        case 'load':
          return tell('load', { app, what: entry.what, why: entry.why });
        case 'build':
          return tell('build', { app, ok: entry.problem === undefined });
        case 'manifest':
          return tell('manifest', { app, ok: entry.problem === undefined, asks: entry.asks });
        case 'left-out':
          return tell('left-out', { app, count: entry.count });
        default:
          return undefined;
      }
    },
  };
}

/** Writes an event as one line: JSON escapes the control characters of an app's text. */
export function line(event: object): string {
  return JSON.stringify(event).replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function short(params: unknown): unknown {
  return JSON.stringify(params ?? null).length > mostText ? { leftOut: true } : params;
}
