import { inTime } from './waits.ts';

/** Promises that a test got and that are open: at its end, those that it did not await. */
export type OpenPromises = ReturnType<typeof createOpenPromises>;

const graceMs = 2_000;
const ofGadgets = new WeakMap<object, OpenPromises>();

export function createOpenPromises() {
  const open = new Map<Promise<unknown>, string>();
  let isOver = false;
  return {
    add<T>(name: string, promise: Promise<T>): Promise<T> {
      const added = promise.finally(() => open.delete(added)); // without await its error is unhandled
      open.set(added, name);
      return added;
    },
    /** True once the test is over: waits give up. */
    get isOver(): boolean {
      return isOver;
    },
    /** Waits for them, so that they end in their own test. Returns an error that names them. */
    async end(): Promise<Error | undefined> {
      isOver = true;
      const names = [...new Set(open.values())];
      await inTime(Promise.allSettled(open.keys()), graceMs, '').catch(() => {});
      if (names.length === 0) return undefined;
      return new Error(`The test ended before ${names.join(', ')}. Write await before each.`);
    },
  };
}

/** Promises of the test of a gadget, if the kit made it. */
export function openPromisesOf(gadget: object): OpenPromises | undefined {
  return ofGadgets.get(gadget);
}

/** Makes methods of a gadget, and its matchers, add to the promises of its test. */
export function joinOpenPromises<Gadget extends object>(gadget: Gadget, open: OpenPromises): Gadget {
  const joined = withOpenPromises(gadget, 'gadget', open);
  ofGadgets.set(joined, open);
  return joined;
}

/** Returns an object whose methods, and those of what they return, add their promises. */
export function withOpenPromises<Of extends object>(of: Of, name: string, open: OpenPromises): Of {
  return new Proxy(of, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      return (...values: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, values);
        const called = `${name}.${key}()`;
        if (result instanceof Promise) return open.add(called, result);
        return key === 'as' || key === 'of' ? withOpenPromises(result as object, called, open) : result;
      };
    },
  });
}
