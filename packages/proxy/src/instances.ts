import { createHash } from 'node:crypto';
import { access as reach } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Statement } from '@gantry/store';
import {
  type ErrorCode,
  type Instance,
  type InstanceAnswer,
  type InstanceRequest,
  isId,
  isLocalHost,
  SocialError,
} from '@gantry/wire';
import * as v from 'valibot';
import { type Access, findAccess } from './access.ts';
import { type AppAddresses, pageOf } from './app-addresses.ts';
import type { Log } from './calls.ts';
import { checked } from './checked.ts';
import { readJsonBody } from './container-request.ts';
import { sandboxOf } from './document-headers.ts';
import type { GadgetTokens } from './gadget-token.ts';
import { answeredCalls, viewsOf } from './manifest.ts';
import type { Endpoint } from './page-request.ts';
import { appPaused, type RegisteredApp } from './registrations.ts';
import { jsonAnswer } from './responses.ts';

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
  /** The site's own. */
  readonly publicUrl: string;
  readonly random: (bytes: number) => Uint8Array;
  readonly log: Log;
  /** What a page that is opened now begins to hear events with. */
  readonly since: () => Promise<string>;
  /** Whether what apps saved can be removed with the last permission. */
  readonly canRemoveData: boolean;
  /** As `AskedAccess.paused`. */
  readonly paused?: Statement | undefined;
}): Endpoint {
  const { db, tokens, addresses, random, log, since, canRemoveData, paused } = options;

  // Hashed: the address may be an internal one, and it ends up in every browser's cache keys.
  function upstreamOf({ registration }: RegisteredApp): string {
    const named = registration === '' ? options.upstreamUrl : `${options.upstreamUrl} ${registration}`;
    return createHash('sha256').update(named).digest('base64url').slice(0, 16);
  }

  const told = new Set<string>(); // of a missing folder the log says it once, not for each page that shows the app
  function tellOnce(id: string, problem: string): void {
    if (told.has(id)) return;
    told.add(id);
    log.error({ app: id }, problem);
  }

  const isDevelopment = isLocalHost(new URL(options.publicUrl).hostname);

  async function open(
    asked: InstanceRequest,
    {
      access,
      viewer,
      from,
    }: { readonly access: Access; readonly viewer?: string | undefined; readonly from?: string | undefined },
  ): Promise<Instance> {
    const { app, granted, needed, optional, revokedAtMs } = access;
    const instance = Buffer.from(random(18)).toString('base64url');
    const owner = asked.owner ?? viewer;
    const { manifest } = app;
    const { view = 'home' } = asked;
    return {
      instance,
      token: await tokens.issue({ app: app.id, viewer, owner, instance, registration: app.registration }),
      expiresIn: tokens.lifetimeSeconds,
      document: addresses.documentOf(app, view),
      ...(manifest.views && {
        documents: Object.fromEntries(
          Object.keys(manifest.views).map((name) => [name, addresses.documentOf(app, name)]),
        ),
      }),
      sandbox: sandboxOf(manifest),
      upstream: upstreamOf(app),
      ...(from !== undefined && { since: from }),
      preload: needed.length === 0 ? manifest.preload : [],
      consent: { needed, optional },
      ...(isDevelopment && { declared: manifest.uses }),
      revokedAtMs,
      ...(canRemoveData && { canRemoveData }),
      context: {
        app: { id: app.id, title: manifest.name },
        ...(viewer !== undefined && { viewer }),
        ...(owner !== undefined && { owner }),
        view,
        views: viewsOf(manifest),
        ...(manifest.sizing && { sizing: manifest.sizing }),
        height: manifest.height,
        operations: answeredCalls,
        permissions: granted,
      },
    };
  }

  return async (page, viewer) => {
    const asked = checked(bodySchema, await readJsonBody(page), 'The body') as InstanceRequest[];
    const from = viewer === undefined ? undefined : await since(); // before anything of the page is read
    const found = await findAccess(db, { viewer, apps: [...new Set(asked.map(({ app }) => app))], paused });
    const answers = asked.map(async (item): Promise<InstanceAnswer> => {
      const access = found.get(item.app);
      if (access === undefined) return refused('NOT_FOUND', 'There is no such app.');
      if (access.isPaused) return { error: appPaused().toWire() };
      const { app } = access;
      const missing = await missingPage(app, item.view);
      if (missing !== undefined) {
        tellOnce(app.id, missing);
        return refused('APP_MISSING', isDevelopment ? missing : 'The files of this app are not there at present.');
      }
      told.delete(app.id);
      if (app.manifest.storage && !addresses.keepsApart(app)) {
        log.error({ app: app.id }, storageNeeds);
        return refused('FORBIDDEN', storageNeeds);
      }
      const isOwnerId = item.owner === undefined || isId(item.owner);
      return isOwnerId
        ? { ok: await open(item, { access, viewer, from }) }
        : refused('BAD_REQUEST', 'The owner is no id of a member.');
    });
    return jsonAnswer(await Promise.all(answers));
  };
}

/** Says where the page of a served app should be, if it is not there. */
async function missingPage({ source, manifest }: RegisteredApp, view?: string): Promise<string | undefined> {
  if (source.kind === 'remote') return undefined;
  const file = pageOf(manifest, view);
  try {
    await reach(join(source.folder, file));
    return undefined;
  } catch {
    return `There is no ${file} in ${source.folder}: was the folder moved, or not built?`;
  }
}

// Where it shares its origin with the site or with other apps, it would share what is stored there too.
const storageNeeds = 'This app asks for storage, which the site gives only to apps that have a host of their own.';

function refused(code: ErrorCode, message: string): InstanceAnswer {
  return { error: new SocialError(code, message).toWire() };
}
