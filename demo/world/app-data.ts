import { dayMs, isoTime } from './calendar.ts';
import type { Random } from './random.ts';
import type { AppDataRecord } from './records.ts';

// Same format as the notes gadget: a key for each note, its text and time as JSON.
const mine = [
  {
    text: 'Regatta committee, Thursday\n– rescue boat rota (ask Rhys)\n– trophy for juniors needs engraving\n– cake: who?',
    daysAgo: 1,
  },
  { text: 'Plot 22: lift the last beetroot before the frost, cover the chard, return Anneliese’s fork.', daysAgo: 4 },
  { text: 'Present for Dad? He says nothing. He means the tide clock.', daysAgo: 12 },
];

const scraps = [
  'Ring the sailmaker',
  'Two tins of undercoat, one of the good brushes',
  'Ask about the night ferry',
  'Soup list: leeks, barley, a lot of pepper',
  'Tide table is behind the clock',
  'Next time: bring the other gloves',
  'Seeds for the swap: kale, sweet peas, the odd bean',
  'Return ladder',
  'Learn verse four',
  'Birthdays in March: three of them!',
];

export function createAppData(
  random: Random,
  { ids, hasNotes, now }: { ids: readonly string[]; hasNotes: (memberId: string) => boolean; now: number },
): AppDataRecord[] {
  const writers = ids.filter((id) => id === '1' || (hasNotes(id) && random.chance(0.6)));
  return writers.map((memberId) => {
    const notes = memberId === '1' ? mine : someScraps(random);
    const entries = notes.map(({ text, daysAgo }) => {
      const at = now - daysAgo * dayMs;
      return [`note.${at.toString(36)}`, JSON.stringify({ text, saved: isoTime(at) })];
    });
    return { appId: 'notes', memberId, data: Object.fromEntries(entries) };
  });
}

function someScraps(random: Random): typeof mine {
  const days = random.shuffled([2, 5, 9, 14, 20, 33, 60]);
  return random
    .shuffled(scraps)
    .slice(0, random.int(1, 4))
    .map((text, index) => ({ text, daysAgo: days[index] ?? 1 }));
}
