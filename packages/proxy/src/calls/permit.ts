import { operation, type PermissionName, permissionsFor, type ResolvedRequest, type WireError } from '@gantry/wire';
import type { Access } from '../access/access.ts';
import type { Middleware } from '../call-path.ts';

/** Refuses calls that were not granted, before any other work. Claims of the page are ignored. */
export const permit: Middleware = (next) => async (context) => {
  const refused = refusal(context.request, context.access);
  return refused === undefined ? next(context) : { error: refused };
};

function refusal(request: ResolvedRequest, { app, granted, needed }: Access): WireError | undefined {
  const { manifest } = app;
  const { osapi: name, permission } = operation(request.operation);
  if (!manifest.uses.includes(name) && !manifest.optional.uses.includes(name)) {
    return notGranted(`${name} is not granted: gadget.json does not list it in uses.`, [permission]);
  }
  // Until the member accepts the hosts that the app can talk to, it reads nothing.
  const places = needed.filter((missing) => /^(host|server):/.test(missing));
  if (places.length > 0) return notGranted('The member has not allowed this app.', places);
  const missing = permissionsFor(request).filter((needs) => !granted.includes(needs));
  return missing.length === 0 ? undefined : notGranted(`The member has not allowed ${missing.join(', ')}.`, missing);
}

function notGranted(message: string, missing: readonly PermissionName[]): WireError {
  return { code: 403, message, data: { reason: 'NOT_GRANTED', missing } };
}
