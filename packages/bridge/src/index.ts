export { type AppConnection, acceptHello, type CloseReason } from './accept-hello.ts';
export type { AppContext, PageContext, Theme, WriteReport } from './app-context.ts';
export { appError, OsapiError } from './app-error.ts';
export {
  type ContainerConnection,
  connectToContainer,
  type SendOptions,
} from './connect.ts';
export { countStrings } from './count-strings.ts';
export { createDirectHello } from './direct-hello.ts';
export { expectHello, type Greeting } from './expect-hello.ts';
export { type Failure, failure, failureOf } from './failure.ts';
export { helloFragment } from './hello-fragment.ts';
export type { Lease, Leases } from './lease.ts';
export { randomNonce } from './nonce.ts';
export { type AppRequest, batchText, limits, type WriteOptions } from './protocol.ts';
export { systemClock } from './system-clock.ts';
