import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShares, type Holder, type Shares } from '../../src/uploads/shares.ts';

const limits = { places: 8, ofMember: 2, ofNetwork: 4 };

/** Places that one holder gets who takes as many as there are. */
function greed(shares: Shares, holder: (index: number) => Holder): number {
  return Array.from({ length: 100 }, (_, index) => shares.take(holder(index))).filter(Boolean).length;
}

test('neither a member nor a network gets all places (security rule 35)', () => {
  const shares = createShares(limits);
  expect(greed(shares, (index) => ({ member: '1', network: `${index}` }))).toBe(2);
  expect(greed(shares, (index) => ({ member: `m${index}`, network: 'one' }))).toBe(4);
  expect(shares.take({ member: '2', network: 'two' })).toBeDefined();
  const naive = createShares({ places: 8, ofMember: 8, ofNetwork: 8 }); // the control
  greed(naive, () => ({ member: '1', network: 'one' }));
  expect(naive.take({ member: '2', network: 'two' })).toBeUndefined();
});

test('an address that many may share has no share of its own', () => {
  expect(greed(createShares(limits), (index) => ({ member: `m${index}`, network: undefined }))).toBe(8);
});

test('places that were given back can be taken again, in any order', () => {
  const step = fc.record({
    member: fc.constantFrom('1', '2', '3', '4'),
    network: fc.constantFrom('a', 'b', undefined),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(step, fc.nat({ max: 7 })), { maxLength: 60 }), (steps) => {
      const shares = createShares(limits);
      const held: (Holder & { readonly leave: () => void })[] = [];
      for (const one of steps) {
        if (typeof one === 'number') {
          for (const { leave } of held.splice(one, 1)) leave();
          continue;
        }
        const of = (key: keyof Holder) => held.filter((other) => other[key] === one[key]).length;
        const isFull = held.length >= 8 || of('member') >= 2 || (one.network !== undefined && of('network') >= 4);
        const leave = shares.take(one);
        expect(leave === undefined).toBe(isFull);
        if (leave) held.push({ ...one, leave });
      }
    }),
  );
});
