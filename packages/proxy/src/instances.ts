import { createHash } from 'node:crypto';
import type { Database } from '@gantry/store';
import {
  type ErrorCode,
  type Instance,
  type InstanceAnswer,
  type InstanceRequest,
  isId,
  SocialError,
} from '@gantry/wire';
import * as v from 'valibot';
import type { AppAddresses } from './app-addresses.ts';
import { checked } from './checked.ts';
import { readJsonBody } from './container-request.ts';
import { sandbox } from './document-headers.ts';
import type { GadgetTokens } from './gadget-token.ts';
import { answeredCalls } from './manifest.ts';
import { findApps, type RegisteredApp } from './registrations.ts';
import { jsonResponse } from './responses.ts';

const id = v.pipe(v.string('text'), v.maxLength(256, 'at most 256 characters'));
const view = v.pipe(v.string('text'), v.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'a name such as home or canvas'));
const bodySchema = v.pipe(
  v.array(v.object({ app: id, owner: v.optional(id), view: v.optional(view) }, 'an object with app'), 'a list'),
  v.minLength(1, 'a list of at least 1'),
  v.maxLength(100, 'a list of at most 100'),
);

/** Answers `POST /gantry/instances`: the proxy, not the page, decides viewer and app. */
export function createInstances(options: {
  readonly db: Database;
  readonly tokens: GadgetTokens;
  readonly addresses: AppAddresses;
  readonly upstreamUrl: string;
  readonly random: (bytes: number) => Uint8Array;
}): (request: Request, viewer: string | undefined) => Promise<Response> {
  const { db, tokens, addresses, random } = options;
  // The address itself may be an internal one, and it ends up in every browser's cache keys.
  const upstream = createHash('sha256').update(options.upstreamUrl).digest('base64url').slice(0, 16);

  async function open(asked: InstanceRequest, app: RegisteredApp, viewer: string | undefined): Promise<Instance> {
    const instance = Buffer.from(random(18)).toString('base64url');
    const owner = asked.owner ?? viewer;
    const { manifest } = app;
    return {
      instance,
      token: await tokens.issue({ app: app.id, viewer, owner, instance }),
      expiresIn: tokens.lifetimeSeconds,
      document: addresses.documentOf(app),
      sandbox,
      upstream,
      preload: manifest.preload,
      context: {
        app: { id: app.id, title: manifest.name },
        ...(viewer !== undefined && { viewer }),
        ...(owner !== undefined && { owner }),
        view: asked.view ?? 'home',
        height: manifest.height,
        operations: answeredCalls,
      },
    };
  }

  return async (request, viewer) => {
    const asked = checked(bodySchema, await readJsonBody(request), 'The body') as InstanceRequest[];
    const apps = await findApps(db, [...new Set(asked.map(({ app }) => app))]);
    const answers = asked.map(async (item): Promise<InstanceAnswer> => {
      const app = apps.get(item.app);
      if (app === undefined) return refused('NOT_FOUND', 'There is no such app.');
      const isOwnerId = item.owner === undefined || isId(item.owner);
      return isOwnerId
        ? { ok: await open(item, app, viewer) }
        : refused('BAD_REQUEST', 'The owner is no id of a member.');
    });
    return jsonResponse(await Promise.all(answers));
  };
}

function refused(code: ErrorCode, message: string): InstanceAnswer {
  return { error: new SocialError(code, message).toWire() };
}
