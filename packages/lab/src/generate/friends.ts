import { below, type Draw, use } from './random.ts';

// Members stand in a ring, and each makes friends with some of the next half of it. So exactly one
// of two friends makes the friendship, no pair comes twice, and only the present member's friends
// are kept in memory.

/** Friendships that members start: a share of the members, least and most. About 20 on average. */
const classes: readonly (readonly [thousandths: number, least: number, most: number])[] = [
  [500, 1, 9],
  [315, 8, 26],
  [150, 26, 50],
  [31, 60, 130],
  [3, 150, 650],
  [1, 1_000, 4_900],
];

/** Percentage of friends that are near on the ring: friends of friends know each other. */
const nearby = 60;
const neighbourhood = 400;

/**
 * Returns the places on the ring with which a member starts a friendship.
 *
 * @param place From 0 to `size` - 1.
 * @returns Places, each once, without the member's own.
 */
export function friendsMadeBy(
  draw: Draw,
  { place, size }: { readonly place: number; readonly size: number },
): Set<number> {
  const half = Math.floor((size - 1) / 2); // without the opposite place of an even ring, which would be made twice
  const count = Math.min(wantedFriends(draw, place), Math.floor(half / 2));
  const distances = new Set<number>();
  for (let turn = 0; distances.size < count; turn++) {
    const drawn = draw(use.friend, place, turn);
    const reach = drawn % 100 < nearby ? Math.min(neighbourhood, half) : half;
    // A full neighbourhood must not loop for ever: later friends are anywhere on the ring.
    distances.add(1 + below(turn < 4 * count ? reach : half, draw(use.distance, place, turn)));
  }
  return new Set(Array.from(distances, (distance) => (place + distance) % size));
}

function wantedFriends(draw: Draw, place: number): number {
  let rank = below(1_000, draw(use.friendClass, place));
  for (const [thousandths, least, most] of classes) {
    if (rank < thousandths) return least + below(most - least + 1, draw(use.friendCount, place));
    rank -= thousandths;
  }
  return 0;
}
