import { hash } from 'node:crypto';
import { access as reach } from 'node:fs/promises';
import { join } from 'node:path';
import type { Statement } from '@gantry/store';
import {
  type ErrorCode,
  type Instance,
  type InstanceAnswer,
  type InstanceRequest,
  isId,
  isolatedName,
  type PageViewer,
  SocialError,
} from '@gantry/wire';
import { isLocalHost } from '@gantry/wire/runtime';
import * as v from 'valibot';
import { type Access, type AppAccess, findAccess } from '../access/access.ts';
import { type AppAddresses, pageOf } from '../apps/app-addresses.ts';
import {
  type AppVersion,
  type AppVersions,
  liveVersion,
  type MemberPreview,
  type VersionOf,
  versionKey,
} from '../apps/app-version.ts';
import { sandboxOf } from '../apps/document-headers.ts';
import { answeredCalls, viewsOf } from '../apps/manifest.ts';
import { appPaused, type RegisteredApp } from '../apps/registrations.ts';
import { readBody } from '../http/container-request.ts';
import type { Endpoint } from '../http/page-request.ts';
import { jsonAnswer } from '../http/responses.ts';
import { listOf } from '../http/validate.ts';
import type { Ports } from '../ports.ts';
import { type GadgetTokens, lifetimeSeconds } from './gadget-token.ts';

const id = v.pipe(v.string('text'), v.maxLength(256, 'at most 256 characters'));
const view = v.pipe(v.string('text'), v.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'a name such as home or canvas'));
const version = v.optional(v.pipe(v.string('text'), v.regex(/^[0-9a-f]{64}$/, 'the digest of a version')));
const item = v.object({ app: id, owner: v.optional(id), view: v.optional(view), version }, 'an object with app');
const bodySchema = listOf(item, 100, 1);

/**
 * Answers `POST /gantry/instances` with a token, the document's address, consent and context for
 * each gadget. The viewer comes from the site's session, never from the page (security rule 3).
 *
 * @param options.since Returns the cursor at which pages opened now start to listen for events.
 * @param options.canRemoveData The last permission can be revoked together with the app's data.
 */
export function createInstancesEndpoint(
  options: Pick<Ports, 'db' | 'random' | 'log'> & {
    readonly tokens: GadgetTokens;
    readonly addresses: AppAddresses;
    readonly versions: Pick<AppVersions, 'give'>;
    readonly upstreamUrl: string;
    readonly publicUrl: string;
    readonly since: () => Promise<string>;
    readonly canRemoveData: boolean;
    readonly paused?: Statement | undefined;
  },
): Endpoint {
  const { db, tokens, addresses, versions, random, log, since, canRemoveData, paused } = options;

  // Hashed: the URL may be internal, and browsers keep this in their cache keys.
  function upstreamOf({ registration }: RegisteredApp, epoch: string | undefined): string {
    const site = registration === '' ? options.upstreamUrl : `${options.upstreamUrl} ${registration}`;
    const named = epoch === undefined ? site : `${site} ${epoch}`; // separates an earlier member's data
    return hash('sha256', named, 'base64url').slice(0, 16);
  }

  const missingApps = new Set<string>(); // logged once, not for each page that shows them
  const isDevelopment = isLocalHost(new URL(options.publicUrl).hostname);

  async function open(
    { owner: shown, view = 'home' }: InstanceRequest,
    { access, live, preview, isLimited }: Shown,
    { viewer: member, since: from }: { readonly viewer: PageViewer | undefined; readonly since: string | undefined },
  ): Promise<Instance> {
    const { app, granted, needed, optional, revokedAtMs } = access;
    const instance = Buffer.from(random(18)).toString('base64url');
    const { id: viewer, epoch } = member ?? {};
    const owner = shown ?? viewer;
    const { manifest, registration } = app;
    const version = liveVersion(app);
    const seen = preview && (preview.version === version ? 'shown' : 'offered');
    const ran = { registration, version, isLimited: isLimited || undefined, preview: preview?.version };
    return {
      instance,
      token: await tokens.issue({ app: app.id, viewer, epoch, owner, instance, ...ran }),
      expiresIn: lifetimeSeconds,
      document: addresses.documentOf(app, view),
      ...(manifest.views && {
        documents: Object.fromEntries(
          Object.keys(manifest.views).map((name) => [name, addresses.documentOf(app, name)]),
        ),
      }),
      sandbox: sandboxOf(manifest),
      ...(version !== undefined && { version }),
      ...(live !== undefined && live !== version && { live }),
      ...(seen && { preview: seen }),
      upstream: upstreamOf(app, epoch),
      ...(from !== undefined && { since: from }),
      preload: needed.length === 0 ? manifest.preload : [],
      consent: { needed, optional },
      uses: [...manifest.uses, ...manifest.optional.uses],
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

  /** Makes the function that chooses what each gadget of a page shows. */
  async function chooser(
    requests: readonly InstanceRequest[],
    found: ReadonlyMap<string, AppAccess>,
  ): Promise<(item: InstanceRequest, access: AppAccess) => Shown> {
    const previews = [...found.values()].flatMap(({ preview }) => preview ?? []);
    const named = requests.flatMap(({ app, version }) => (version === undefined ? [] : [{ app, digest: version }]));
    const wanted = [...named, ...previews.map(({ app, version }) => ({ app, digest: version }))];
    const names = wanted.flatMap(({ app, digest }): VersionOf[] => {
      const live = found.get(app)?.live.app;
      const isOther = live && live.source.kind !== 'remote' && liveVersion(live) !== digest;
      return isOther ? [{ app, registration: live.registration, digest }] : [];
    });
    const given = await versions.give(names);
    return (item, access) => choose(item, access, given);
  }

  return async (page, viewer) => {
    const requests = (await readBody(page, bodySchema)) as InstanceRequest[];
    const visit = { viewer, since: viewer === undefined ? undefined : await since() };
    const found = await findAccess(db, {
      viewer: viewer?.id,
      apps: [...new Set(requests.map(({ app }) => app))],
      paused,
    });
    const showing = await chooser(requests, found);
    const answers = requests.map(async (item): Promise<InstanceAnswer> => {
      const all = found.get(item.app);
      if (all === undefined) {
        return refused('NOT_FOUND', `There is no app ${JSON.stringify(isolatedName(item.app))}.`);
      }
      if (all.live.isPaused) return { error: appPaused().toWire() };
      const shown = showing(item, all);
      const { app } = shown.access;
      const missing = await missingPage(app, item.view);
      if (missing !== undefined) {
        if (!missingApps.has(app.id)) log.error({ app: app.id }, missing);
        missingApps.add(app.id);
        return refused('APP_MISSING', isDevelopment ? missing : 'The files of this app are missing at present.');
      }
      missingApps.delete(app.id);
      if (app.manifest.storage && !addresses.keepsApart(app)) {
        log.error({ app: app.id }, storageNeeds);
        return refused('FORBIDDEN', storageNeeds);
      }
      if (item.owner !== undefined && !isId(item.owner)) {
        return refused('BAD_REQUEST', 'The owner must be the id of a member.');
      }
      return { ok: await open(item, shown, visit) };
    });
    return jsonAnswer(await Promise.all(answers));
  };
}

/** The app and version that one gadget of a page shows. */
interface Shown {
  /** The app, as the version that the gadget runs. */
  readonly access: Access;
  readonly isLimited: boolean;
  /** Digest of the live version. */
  readonly live: string | undefined;
  /** Offered to the member, or shown. */
  readonly preview: MemberPreview | undefined;
}

/**
 * Chooses the version that a gadget runs: the one that its page runs already, else the preview that
 * the member accepted, else the live one.
 */
function choose({ version: running }: InstanceRequest, all: AppAccess, others: ReadonlyMap<string, AppVersion>): Shown {
  const { id: app, registration } = all.live.app;
  const live = liveVersion(all.live.app);
  const given = (digest = '') => others.get(versionKey({ app, registration, digest }));
  const offer = given(all.preview?.version) && all.preview;
  const accepted = offer?.accepted === true ? offer.version : undefined;
  // A preview is for those members only who accepted it.
  const [version] = [running, accepted].flatMap((digest) => {
    if (digest !== undefined && digest === live) return [undefined];
    const found = given(digest);
    return found && (!found.isLimited || digest === accepted) ? [found] : [];
  });
  const isShown = version !== undefined && version.digest === accepted;
  const preview = isShown || offer?.accepted === undefined ? offer : undefined;
  const access = version ? all.of(version) : all.live;
  return { access, isLimited: version?.isLimited === true, live, preview };
}

/** Describes a served app's page that is missing, with its path. */
async function missingPage({ source, manifest }: RegisteredApp, view?: string): Promise<string | undefined> {
  if (source.kind !== 'served') return undefined;
  const file = pageOf(manifest, view);
  const problem = `There is no ${file} in ${source.folder}: was the folder moved, or not built?`;
  return reach(join(source.folder, file)).then(
    () => undefined,
    () => problem,
  );
}

// On a shared origin it would share its storage with the site or other apps (security rule 4).
const storageNeeds = 'This app asks for storage, which the site gives only to apps that have a host of their own.';

function refused(code: ErrorCode, message: string): InstanceAnswer {
  return { error: new SocialError(code, message).toWire() };
}
