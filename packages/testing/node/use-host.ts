import type { PreparedWorld } from '@gantry/lab';
import { findApp } from './find-app.ts';
import { type Host, type HostOptions, openHost, worldOf } from './open-host.ts';

type Hook = (run: () => Promise<void>) => unknown;

/** Hooks of a test runner: those of Vitest, or those of `node:test`. */
export interface Hooks {
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  /** The hook of Vitest. */
  readonly afterAll?: Hook;
  /** The hook of `node:test`. */
  readonly after?: Hook;
}

/**
 * Opens a host before each test of a file and closes it after. The world is imported once.
 *
 * @example
 * // in examples/testing/unit/note.test.js
 * const host = useHost({ beforeEach, afterEach, after }, { app: './harbour' });
 *
 * test('a note is saved without surrounding space', async () => {
 *   await saveNote(' Low water ');
 *   assert.deepEqual(host.calls[0].params.data, { note: 'Low water' });
 * });
 * @returns The host of the test that runs. @throws Error where none runs.
 */
export function useHost(hooks: Hooks, options: HostOptions = {}): Host {
  let host: Host | undefined;
  let world: Promise<PreparedWorld> | undefined;
  const current = (): Host => {
    if (host) return host;
    throw new Error('There is a host only while a test runs: use it inside of one.');
  };

  async function prepare(): Promise<PreparedWorld> {
    const { app, forget } = await findApp(options.app ?? '.');
    await forget();
    return worldOf(options, app.id);
  }

  hooks.beforeEach(async () => {
    world ??= prepare();
    host = await openHost({ ...options, world: await world });
  });
  hooks.afterEach(async () => {
    const closing = host;
    host = undefined;
    await closing?.close();
  });
  (hooks.afterAll ?? hooks.after)?.(async () => {
    const prepared = await world;
    world = undefined;
    if (prepared !== options.world) await prepared?.close();
  });
  return new Proxy({} as Host, { get: (_target, name) => Reflect.get(current(), name) });
}
