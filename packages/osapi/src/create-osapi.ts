import type { ContainerConnection } from '@gantry/bridge';
import { createBatch } from './batch.ts';
import { type CallOptions, createRequest } from './request.ts';
import { calls, type Osapi } from './services.ts';

/** Creates `osapi` over a connection, which need not be open yet. */
export function createOsapi(connection: ContainerConnection): Osapi {
  const services: Record<string, Record<string, unknown>> = {};
  let answered: readonly string[] | undefined; // known from the welcome on

  for (const [name, { operation = name, fixed }] of Object.entries(calls)) {
    const [service = '', method = ''] = name.split('.');
    services[service] ??= {};
    services[service][method] = (params?: object, options?: CallOptions) =>
      createRequest(connection, operation, fixed ? { ...fixed, ...params, ...fixed } : (params ?? {}), options);
  }

  function has(name: string): boolean {
    return Object.hasOwn(calls, name) && (answered?.includes(calls[name]?.operation ?? name) ?? true);
  }

  const osapi: Record<string, unknown> = { ...services, newBatch: createBatch, has, ready: connection.welcome };
  connection.welcome.then(
    ({ operations }) => {
      answered = operations;
      for (const [service, methods] of Object.entries(services)) {
        if (!Object.keys(methods).some((method) => has(`${service}.${method}`))) delete osapi[service];
      }
    },
    () => {}, // no container: every call fails with the reason
  );
  return osapi as unknown as Osapi;
}
