import { expect, test } from 'vitest';
import { liveFolderWarnings } from '../../src/site-check/live-folders.ts';

const apps = [
  { id: 'notes', source: { kind: 'served', folder: '/srv/notes' } },
  { id: 'quiz', source: { kind: 'stored', version: '0'.repeat(64), folder: '/srv/quiz' } },
  { id: 'chess', source: { kind: 'remote', url: 'https://apps.example/chess/' } },
] as const;

test('a site at a public address is warned of each live folder, with the command that stores it (guide to versions)', () => {
  expect(liveFolderWarnings(apps, 'https://social.example')).toEqual([
    'Warning: notes is served live from /srv/notes: half-saved files count, and there is no way back. Store a version: gantry app add /srv/notes --id notes --update',
  ]);
});

test.each(['http://localhost:4400', 'http://127.0.0.1', 'http://site.localhost'])(
  '%s may have live folders',
  (site) => {
    expect(liveFolderWarnings(apps, site)).toEqual([]);
  },
);
