import type { LabEvent } from '@gantry/lab';

type Told = Extract<LabEvent, { readonly kind: 'console' | 'policy' | 'sandbox' }>;

const levels = { debug: 'debug', info: 'info', warning: 'warn', error: 'error' } as const;
const longest = 4_000;

/** Reads a console line: of a script, or of Chromium about policy or sandbox. */
export function readConsole(message: { type(): string; text(): string }): Told {
  const type = message.type();
  const text = message.text().slice(0, longest);
  const level = Object.hasOwn(levels, type) ? levels[type as keyof typeof levels] : 'log';
  if (level !== 'error') return { kind: 'console', level, text };
  const [, blocked, directive] = policyForm.exec(text) ?? [];
  if (directive !== undefined) return { kind: 'policy', directive, blocked: blocked ?? '' };
  const [, name] = sandboxForm.exec(text) ?? [];
  return name === undefined ? { kind: 'console', level, text } : { kind: 'sandbox', name };
}

const policyForm =
  /(?:'([^']*)'[^"]*)?violates the following (?:report-only )?Content Security Policy directive: "([\w-]+)/;
const sandboxForm = /^Ignored call to '(\w+)\(\)'\. The document is sandboxed/;
