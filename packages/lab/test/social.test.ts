import { expect, onTestFinished, test } from 'vitest';
import { createLab, type Lab } from '../src/index.ts';
import { app, openPage, small, url } from './page.ts';

async function lab(): Promise<Lab> {
  const made = await createLab({ url, apps: [app], world: small });
  onTestFinished(() => made.close());
  return made;
}

test('a post of a friend elsewhere is in the stream of members who may see it (contract §6)', async () => {
  const made = await lab();
  const { social } = made;
  const page = openPage(made, 'eva');
  const stranger = openPage(made, 'gil');
  await page.call('activities.get', { groupId: '@friends' }); // fills the cache
  const id = await social.as('finn').post('is at the harbour');
  expect(await page.call('activities.get', { groupId: '@friends' })).toMatchObject({
    ok: { list: [{ id, title: 'is at the harbour' }] },
  });
  expect(await stranger.call('activities.get', { groupId: '@friends' })).toMatchObject({ ok: { list: [] } });
  expect(await social.as('finn').activities()).toMatchObject([{ id, userId: 'finn' }]);
});

test('members post as often as they like elsewhere, and a friendship ends and begins', async () => {
  const { social } = await lab();
  const eva = social.as('eva');
  await eva.post('one');
  await eva.post({ title: 'two', url: '/two' });
  expect((await eva.activities()).map(({ title }) => title)).toEqual(['two', 'one']);
  await eva.unfriend('finn');
  expect(await eva.friends()).toEqual([]);
  await social.as('gil').befriend('eva');
  expect((await eva.friends()).map(({ displayName }) => displayName)).toEqual(['Gil Stray']);
});

test('AppData, albums and photos of a member are read as the site holds them', async () => {
  const { social } = await lab();
  const finn = social.as('finn');
  await finn.install();
  await finn.write({ note: 'Buy varnish' });
  await finn.write({ other: 'x' });
  expect(await finn.appData()).toEqual({ note: 'Buy varnish', other: 'x' });
  const album = await finn.addAlbum({ title: 'The boat' });
  await finn.addPhoto(album, { url: '/boat.svg', title: 'Before' });
  expect(await finn.albums()).toMatchObject([{ id: album, title: 'The boat' }]);
  expect(await finn.photos(album)).toMatchObject([{ title: 'Before' }]);
});

test('a call that names none of several apps is refused with the way to name one and to install it', async () => {
  const made = await createLab({ url, apps: [app, { ...app, id: 'tides' }], world: small });
  onTestFinished(() => made.close());
  const finn = made.social.as('finn');
  await expect(finn.write({ note: 'Tar' })).rejects.toThrow(
    "Name the app, as in as('finn').write(data, 'tides'): the site has tides, zettel. The member has to have it: as('finn').install('tides').",
  );
  await expect(finn.install()).rejects.toThrow("as in as('finn').install('tides'): the site has tides, zettel.");
});

test('AppData of a member who does not have the app is refused; with it friends see it (contract §6)', async () => {
  const made = await lab();
  const finn = made.social.as('finn');
  await expect(finn.write({ note: 'Tar' })).rejects.toThrow(
    "finn does not have zettel, so no app sees what it saves: await gantry.social.as('finn').install('zettel') first.",
  );
  await finn.install();
  await finn.write({ note: 'Tar' });
  const reply = openPage(made, 'eva').call('appdata.get', { groupId: '@friends', keys: ['note'] });
  expect(await reply).toMatchObject({ ok: { finn: { note: 'Tar' } } });
});

test('a seed adds to the world of the lab, all or nothing, and names the first bad record', async () => {
  const { social } = await lab();
  const members = [{ id: 'hal', displayName: 'Hal Weir' }];
  await social.seed({ members, friendships: [['hal', 'eva']] });
  expect(await social.as('hal').friends()).toMatchObject([{ displayName: 'Eva Kiel' }]);
  const bad = social.seed({
    members: [
      { id: 'ida', displayName: 'Ida' },
      { id: 'jon', displayName: '' },
    ],
  });
  await expect(bad).rejects.toThrow('members[1].displayName must not be empty');
  await expect(social.as('ida').post('x')).rejects.toThrow('member');
});

test('a list of more than a page is read whole', async () => {
  const { social } = await lab();
  const activities = Array.from({ length: 230 }, (_, index) => ({
    ...{ id: `a${index}`, userId: 'eva', title: `Number ${index}` },
    postedTime: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  }));
  await social.seed({ activities });
  expect(await social.as('eva').activities()).toHaveLength(230);
});
