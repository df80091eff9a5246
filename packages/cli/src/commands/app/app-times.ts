import type { KnownApp } from '@gantry/proxy';

/** Returns the times at which an app was registered, updated and removed, as ISO 8601, if known. */
export function timesOf(
  app: Pick<KnownApp, 'registeredAtMs' | 'updatedAtMs' | 'removedAtMs'>,
): Readonly<Partial<Record<'registeredAt' | 'updatedAt' | 'removedAt', string>>> {
  const { registeredAtMs, updatedAtMs, removedAtMs } = app;
  return {
    ...(registeredAtMs !== undefined && { registeredAt: new Date(registeredAtMs).toISOString() }),
    ...(updatedAtMs !== undefined && { updatedAt: new Date(updatedAtMs).toISOString() }),
    ...(removedAtMs !== undefined && { removedAt: new Date(removedAtMs).toISOString() }),
  };
}
