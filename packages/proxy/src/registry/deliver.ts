import { SocialError } from '@gantry/wire';
import type { TakeRate } from '@gantry/wire/runtime';
import * as v from 'valibot';
import { findKnownApp } from '../apps/known-app.ts';
import { listOf, shape } from '../http/validate.ts';
import { findVersion, listVersions, storeVersion, type VersionStores } from '../versions/stored-versions.ts';
import { chunkBytes, chunksOf, isDigest, toVersionList, type VersionList } from '../versions/version-list.ts';
import { checkStatement } from './author-statement.ts';
import { createByteLimit, leastBytes } from './byte-limit.ts';
import type { MissingAnswer, PushAnswer } from './messages.ts';
import { type PresentApp, registrationOf } from './present-app.ts';
import type { VersionReads } from './read-versions.ts';
import type { RegistryCall } from './registry.ts';
import { type KeyMay, keyMays } from './registry-keys.ts';
import type { SiteApps } from './site-apps.ts';

/** Versions of an app that wait, and those that are previews (docs/limits.md). */
export const maxWaiting = 5;

export const members = listOf(v.pipe(v.string('text'), v.maxLength(128, 'short')), 100, 1);
const filesBody = v.strictObject({ files: v.unknown() }, shape('an object with files', 'a list has only files'));
const commitBody = v.strictObject(
  {
    files: v.unknown(),
    as: v.optional(v.picklist(keyMays, `one of ${keyMays.join(', ')}`)),
    members: v.optional(members),
    statement: v.optional(v.unknown()),
    despiteData: v.optional(v.boolean('true or false'), false),
  },
  shape('an object with files', 'a commit has only files, as, members, statement and despiteData'),
);

export interface DeliveryOptions extends VersionStores {
  readonly now: () => number;
  readonly takeRate: TakeRate;
  readonly reads: VersionReads;
  readonly site: SiteApps;
}

/** Makes the three steps of a push. The server keeps nothing of it but chunks and the version. */
export function createDelivery({ db, chunks, now, takeRate, reads, site }: DeliveryOptions) {
  const charge = createByteLimit(takeRate);

  async function findMissing(call: RegistryCall): Promise<MissingAnswer> {
    const list = toVersionList((await call.json(filesBody)).files);
    await presentFor(call.params.app);
    return { version: list.digest, missing: await chunks.missing([...chunksOf(list).keys()]) };
  }

  async function putChunk({ key, params: { chunk }, bytes }: RegistryCall): Promise<undefined> {
    if (!isDigest(chunk)) throw new SocialError('BAD_REQUEST', 'A chunk is named by its SHA-256, in lower case.');
    await charge(key.id, leastBytes); // before a body is read (security rule 25)
    const content = await bytes(chunkBytes);
    if (content.byteLength > leastBytes) await charge(key.id, content.byteLength - leastBytes);
    await chunks.put(chunk, content);
  }

  async function commit(call: RegistryCall): Promise<PushAnswer> {
    const { key, by } = call;
    const { app } = call.params;
    const body = await call.json(commitBody);
    const as = body.as ?? key.may;
    if (key.may !== 'live' && as !== key.may) throw new SocialError('FORBIDDEN', `This key may ${sayMay(key.may)}.`);
    if (body.members && as !== 'preview') throw new SocialError('BAD_REQUEST', 'Members are for a preview.');
    const list = toVersionList(body.files);
    const stated = checkStatement(body.statement);
    const statement = stated && JSON.stringify(stated);
    const present = await presentFor(app);
    const missing = await chunks.missing([...chunksOf(list).keys()]);
    if (missing.length > 0) throw new SocialError('CONFLICT', `${missing.length} chunks are missing: send them first.`);
    const done =
      as === 'live'
        ? liveWord((await site.add({ app, list, by, statement, despiteData: body.despiteData })).done)
        : await keep({ app, present, list, as, by, statement });
    if (body.members) await site.offer({ app, version: list.digest, members: body.members, by });
    return { ...(await reads.report(app, list.digest, { app: present })), done };
  }

  /** Returns the app of an id that may get versions. @throws SocialError CONFLICT */
  async function presentFor(app: string): Promise<PresentApp | undefined> {
    const present = await reads.presentApp(app);
    if (present?.source.kind === 'remote')
      throw new SocialError('CONFLICT', `${app} has its own server, which delivers its files.`);
    if (present === undefined && (await findKnownApp(db, app))) {
      const message = `${app} was removed. The site's owner says if this is the same app or another one: gantry app add.`;
      throw new SocialError('CONFLICT', message);
    }
    if (present === undefined && !site.issuesKeys) {
      const message = `There is no app ${app}. Behind gantry proxy its owner adds it first: gantry app add FOLDER --id ${app} --key KEY`;
      throw new SocialError('CONFLICT', message);
    }
    return present;
  }

  /** Stores a version that is not live yet. */
  async function keep(version: KeptVersion): Promise<PushAnswer['done']> {
    const { app, present, list, as, by, statement } = version;
    if (as === 'preview' && present === undefined) {
      throw new SocialError('CONFLICT', `There is no app ${app} yet, so there is nothing that a preview is one of.`);
    }
    const name = { app, registration: registrationOf(present), digest: list.digest };
    const before = await findVersion(db, name);
    if (before?.state === 'refused') {
      const when =
        before.decidedAtMs === undefined ? '' : ` on ${new Date(before.decidedAtMs).toISOString().slice(0, 10)}`;
      throw new SocialError('CONFLICT', `This version was refused${when}. Change it, or ask the site's owner.`);
    }
    const state = as === 'preview' ? 'preview' : 'waiting';
    const others = before ? [] : (await listVersions(db, name)).filter((one) => one.state === state);
    if (others.length >= maxWaiting) {
      const message = `${maxWaiting} versions of ${app} are in the state ${state} already: approve or refuse one first.`;
      throw new SocialError('CONFLICT', message);
    }
    const stored = await storeVersion({ db, chunks }, { ...name, list, state, by, statement, nowMs: now() });
    return before ? 'unchanged' : stored.state === 'waiting' ? 'waiting' : 'preview';
  }

  return { findMissing, putChunk, commit };
}

interface KeptVersion {
  readonly app: string;
  readonly present: PresentApp | undefined;
  readonly list: VersionList;
  readonly as: KeyMay;
  readonly by: string;
  readonly statement: string | undefined;
}

function liveWord(done: 'registered' | 'updated' | 'unchanged'): PushAnswer['done'] {
  return done === 'updated' ? 'live' : done;
}

function sayMay(may: KeyMay): string {
  return may === 'approval' ? 'make versions wait for approval only' : 'make previews only';
}
