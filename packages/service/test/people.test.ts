import { describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { openSite, village } from './site.ts';

describe.each(databases)('people on $name', ({ open }) => {
  test('a member is their fixed fields (§2 Person)', async () => {
    const site = await openSite(open, village);
    const { status, json } = await site.get('/people/@me/@self');
    expect(status).toBe(200);
    expect(json).toEqual({
      entry: {
        id: '1',
        isOwner: true,
        isViewer: true,
        hasApp: true,
        displayName: 'Ann',
        thumbnailUrl: 'https://social.example/faces/1.svg',
        profileUrl: 'https://social.example/members/1',
      },
    });
  });
});
