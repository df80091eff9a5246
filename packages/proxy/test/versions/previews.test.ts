import {
  decidePreview,
  decideVersion,
  endPreview,
  findPreview,
  forgetMembers,
  listAudit,
  listPreviews,
  offerPreview,
} from '@gantry/proxy';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { findAccess } from '../../src/access/access.ts';
import { maxPreviewMembers } from '../../src/versions/previews.ts';
import { digestOf } from '../../src/versions/version-list.ts';
import { least, openVersions } from './versions.ts';

describe.each(databases)('previews on $name (issue Versions, build 7)', ({ open }) => {
  async function openPreview() {
    const world = await openVersions(open);
    const version = await world.push(least, { state: 'preview' });
    const offer = { ...version, members: ['7', '8'], by: 'cli:anna', nowMs: world.now() };
    const of = (member: string) => findPreview(world.db, { app: 'quiz', registration: 'first', member });
    const decide = (member: string, accept: boolean, digest = version.digest) =>
      decidePreview(world.db, {
        app: 'quiz',
        registration: 'first',
        member,
        version: digest,
        accept,
        nowMs: world.now(),
      });
    return { ...world, version, offer, of, decide };
  }

  test('are for the members who were named, each of whom decides for themselves', async () => {
    const { db, version, offer, of, decide, now } = await openPreview();
    await offerPreview(db, offer);
    expect(await decide('7', true)).toBe(true);
    const offered = { app: 'quiz', registration: 'first', version: version.digest, offeredAtMs: now() };
    expect(await of('7')).toEqual({ ...offered, member: '7', accepted: true });
    expect(await of('8')).toEqual({ ...offered, member: '8' });
    expect(await of('9')).toBeUndefined();
    expect(await decide('9', true)).toBe(false);
    expect(await decide('8', true, digestOf('other'))).toBe(false);
    expect((await listPreviews(db, version)).map(({ member }) => member)).toEqual(['7', '8']);
    expect((await listAudit(db))[0]).toMatchObject({
      action: 'preview',
      to: version.digest,
      detail: 'offered to 2 members',
    });
  });

  test('are asked about once: a repeated offer keeps the answer, another version asks again', async () => {
    const { db, offer, of, decide, push } = await openPreview();
    await offerPreview(db, offer);
    await decide('7', false);
    await offerPreview(db, offer);
    expect((await of('7'))?.accepted).toBe(false);
    const other = await push({ ...least, 'a.js': '' });
    await offerPreview(db, { ...offer, digest: other.digest });
    expect(await of('7')).toMatchObject({ version: other.digest });
    expect(await of('7')).not.toHaveProperty('accepted');
  });

  test('are found for the apps of a page, in their present registrations (security rule 29)', async () => {
    const { db, offer, version, register, decide } = await openPreview();
    await offerPreview(db, offer);
    const find = async (viewer?: string) => (await findAccess(db, { viewer, apps: ['notes', 'quiz'] })).get('quiz');
    expect((await find('7'))?.preview).toEqual({ app: 'quiz', version: version.digest });
    await decide('7', false);
    expect((await find('7'))?.preview).toEqual({ app: 'quiz', version: version.digest, accepted: false });
    for (const viewer of ['9', undefined]) expect((await find(viewer))?.preview).toBeUndefined();
    await register('second', 'replace');
    const replaced = await find('7');
    expect([replaced?.live.app.registration, replaced?.preview]).toEqual(['second', undefined]);
  });

  test('end for one member, for all, with a refusal, and with a member (security rule 37)', async () => {
    const { db, version, offer, of, now } = await openPreview();
    const end = { ...version, by: 'cli:anna', nowMs: now() };
    await offerPreview(db, offer);
    await endPreview(db, { ...end, members: ['7'] });
    expect([await of('7'), await of('8')]).toEqual([undefined, expect.objectContaining({ member: '8' })]);
    await endPreview(db, end);
    expect(await of('8')).toBeUndefined();
    await offerPreview(db, offer);
    await db.batch(forgetMembers(sql`${'8'}`));
    expect(await of('8')).toBeUndefined();
    await decideVersion(db, { ...end, approve: false });
    expect(await of('7')).toBeUndefined();
  });

  test('are offered, ended and announced in one transaction', async () => {
    const { db, offer, version, of, now } = await openPreview();
    const announce = [sql`insert into no_such_table values (1)`];
    await expect(offerPreview(db, { ...offer, announce })).rejects.toThrow('no_such_table');
    expect(await of('7')).toBeUndefined();
    await offerPreview(db, offer);
    await expect(endPreview(db, { ...version, by: 'cli:anna', nowMs: now(), announce })).rejects.toThrow();
    expect(await of('7')).toMatchObject({ member: '7' });
  });

  test.each([
    ['no member', []],
    ['101 members', Array.from({ length: maxPreviewMembers + 1 }, (_, index) => `${index}`)],
    ['what is no id', ['a b']],
  ])('are not for %s (rules 18 and 25)', async (_, members) => {
    const { db, offer } = await openPreview();
    await expect(offerPreview(db, { ...offer, members })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('show no version that waits or is unknown', async () => {
    const { db, offer, push, of } = await openPreview();
    const waiting = await push({ ...least, 'a.js': '' }, { state: 'waiting' });
    for (const { digest } of [waiting, { digest: digestOf('none') }]) {
      await expect(offerPreview(db, { ...offer, digest })).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    expect(await of('7')).toBeUndefined();
  });
});
