import { terminalText } from '@gantry/wire/runtime';
import type { Call, Gadget, LogLine, Refusal } from '../types.ts';

/** Texts about a gadget whose test failed. They contain the app's own words. */
export interface FailureTexts {
  readonly calls: string;
  readonly refusals: string;
  readonly console: string;
}

const mostCalls = 20;
const mostLines = 200;
const longestLine = 999;

/** Writes the last 20 calls, the refusals and the console of a gadget, a line each. */
export function describeFailure({ calls, refusals, logs }: Pick<Gadget, 'calls' | 'refusals' | 'logs'>): FailureTexts {
  return {
    calls: text(calls.slice(-mostCalls).map(callLine)),
    refusals: text(refusals.slice(-mostLines).map(({ kind, message }: Refusal) => `${kind}: ${message}`)),
    console: text(logs.slice(-mostLines).map(({ level, text: line }: LogLine) => `${level}: ${line}`)),
  };
}

function callLine({ number, operation, params, error, isSettled, tookMs, decision, ok }: Call): string {
  const call = `${number}. ${operation} ${JSON.stringify(params) ?? ''}`.trimEnd();
  if (!isSettled) return `${call} → open${decision ? ` (${decision})` : ''}`;
  const took = `${Math.round(tookMs ?? 0)} ms${decision ? `, ${decision}` : ''}`;
  if (error) return `${call} → ${error.code} ${error.data?.reason ?? ''}: ${error.message} (${took})`;
  return `${call} → ${JSON.stringify(ok)?.slice(0, 200) ?? 'nothing'} (${took})`;
}

/** An app must not write a terminal's or a report's lines. */
function text(lines: readonly string[]): string {
  return lines.map((line) => `${terminalText(line, longestLine)}\n`).join('');
}
