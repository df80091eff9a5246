import { appError, type ContainerConnection, OsapiError } from '@gantry/bridge';
import { delegate } from './delegate.ts';
import { createSdk, type Sdk, sdkKey } from './sdk.ts';

/** SDK of a process without a document. Its objects stay while connections change. */
export interface ProcessSdk extends Sdk {
  /** Uses `next` until the returned function is called. @throws Error if another is attached. */
  attach(next: Sdk): () => void;
}

/**
 * Returns the SDK of this process. Calls fail, with a hint how to test, until an SDK is attached.
 *
 * @throws Error if an SDK for a document was loaded first, as in a simulated browser.
 */
export function processSdk(): ProcessSdk {
  const scope = globalThis as { [sdkKey]?: Sdk | ProcessSdk };
  scope[sdkKey] ??= createProcessSdk();
  if (!('attach' in scope[sdkKey])) throw new Error(loadedTooEarly);
  return scope[sdkKey];
}

function createProcessSdk(): ProcessSdk {
  const absent = createSdk(withoutHost());
  const none: Sdk = { ...absent, gantry: { ...absent.gantry, on: refuse } };
  let current = none;
  return {
    osapi: delegate(() => current.osapi),
    gadgets: delegate(() => current.gadgets),
    gantry: delegate(() => current.gantry),
    attach(next) {
      if (current !== none) throw new Error(openAlready);
      current = next;
      return () => {
        if (current === next) current = none;
      };
    },
  };
}

function withoutHost(): ContainerConnection {
  const reply = { error: appError('UNAVAILABLE', noHost) };
  const welcome = Promise.reject(new OsapiError(reply.error));
  welcome.catch(() => {}); // not unhandled if nothing awaits it
  return {
    welcome,
    send: (_request, answer) => answer(reply),
    watch(_request, push) {
      queueMicrotask(() => push(reply));
      return () => {};
    },
    act: async () => reply,
    can: () => false,
    on: () => () => {},
  };
}

function refuse(): never {
  throw new OsapiError(appError('UNAVAILABLE', noHost));
}

const noHost =
  'No site is around this code. In a test in Node, open one first: await openHost({ app }) of @gantry/testing/node.';
const openAlready =
  'A host is open already, and @gantry/osapi speaks to one at a time: close that one first, or open a further member with host.open().';
const loadedTooEarly =
  '@gantry/osapi was loaded for a document before the host: name @gantry/testing/node in setupFiles, or import it first.';
