import type { Actions, BarePlace } from '../gadget.ts';

const most = 5;
const startingMs = 5_000;

/**
 * Reports an app's uncaught errors to the site. On a developer's machine an error of the first
 * seconds is also shown above the app, which may be blank.
 */
export function createErrors({ gadget, dispatch, warn }: Pick<BarePlace, 'gadget' | 'dispatch' | 'warn'>): {
  readonly actions: Actions<'error'>;
} {
  const { declared, context, clock } = gadget;
  const readyAtMs = clock.elapsed();
  let count = 0;
  return {
    actions: {
      error(message, source, line) {
        if (++count > most) return;
        const detail = { message: text(message), source: text(source), line: typeof line === 'number' ? line : 0 };
        dispatch('gantry-incident', { app: context.app.id, kind: 'error', detail });
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
