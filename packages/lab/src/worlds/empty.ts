import { personasOf } from './personas.ts';
import type { World } from './world.ts';

/** One member, and nothing else. */
export function empty(): World {
  const file = { site: { name: 'Empty' }, members: [{ id: 'm-1', displayName: 'Ada Lovell' }] };
  return {
    name: 'empty',
    file,
    folder: '.',
    personas: personasOf(file, ['m-1']),
    oddities: [
      { id: 'empty/alone', what: 'A member without friends, activities, albums, birthday and picture.', member: 'm-1' },
    ],
  };
}
