export { type AcceptHelloOptions, type AppConnection, acceptHello, type CloseReason } from './accept-hello.ts';
export type { AppCallHandlers, OpenRequest } from './app-calls.ts';
export type { AppContext, PageContext, Theme, WriteReport } from './app-context.ts';
export { appError, OsapiError } from './app-error.ts';
export { type ConnectOptions, type ContainerConnection, connectToContainer, type SendOptions } from './connect.ts';
export { type Failure, failure, failureOf } from './failure.ts';
export { type HelloAddress, helloFragment } from './hello-fragment.ts';
export { randomNonce } from './nonce.ts';
export { type AppRequest, protocolVersion, type WriteOptions } from './protocol.ts';
