import type { Action, BarePlace } from '../place.ts';

const most = 5;
const startingMs = 5_000;

/**
 * Reports to the site what an app says of its own uncaught errors. On a developer's machine an error of its first seconds is
 * shown above the app too: it may be all that there is to see.
 */
export function createErrors({ gadget, tell, warn }: Pick<BarePlace, 'gadget' | 'tell' | 'warn'>): {
  readonly actions: { readonly error: Action };
} {
  const { declared, context, clock } = gadget;
  const readyAtMs = clock.elapsed();
  let count = 0;
  return {
    actions: {
      error(message, source, line) {
        if (++count > most) return;
        const detail = { message: text(message), source: text(source), line: typeof line === 'number' ? line : 0 };
        tell('gantry-incident', { app: context.app.id, kind: 'error', detail });
        if (declared && clock.elapsed() - readyAtMs < startingMs) warn(placed(detail));
      },
    },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 300) : '';
}

function placed({ message, source, line }: { message: string; source: string; line: number }): string {
  const file = source.split('/').pop();
  return file ? `${message} (${file}:${line})` : message;
}
