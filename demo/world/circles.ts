/**
 * Shared interests. A circle shapes its members' friendships, texts about themselves, posts and
 * photos.
 */
export const circles = [
  'gigs',
  'plots',
  'dinghies',
  'swimmers',
  'boatyard',
  'birds',
  'kitchen',
  'choir',
  'cameras',
] as const;
export type Circle = (typeof circles)[number];

/** Weight of each circle when members are drawn. */
export const circleWeights: Readonly<Record<Circle, number>> = {
  gigs: 17,
  plots: 19,
  dinghies: 12,
  swimmers: 13,
  boatyard: 8,
  birds: 8,
  kitchen: 9,
  choir: 8,
  cameras: 6,
};

/** Texts of a circle's members about themselves. `{job}` is filled in. */
export const introductions: Readonly<Record<Circle, readonly string[]>> = {
  gigs: [
    'Stroke side in the Thursday gig, {job} the rest of the week. I bring the flapjacks.',
    'Came down to watch one regatta in 2011 and was put in seat five. Still there.',
    'Cox. Small, loud, and right about the tide more often than not.',
    'Rowing for the company, honestly. The rowing is a bonus. By day a {job}.',
    'Bow pair, novice crew. Blisters nearly healed.',
    'Looks after the oars and the tea urn, in that order.',
  ],
  plots: [
    'Plot 17, the one with the blue shed. Too many courgettes, always free to a good home.',
    'Half a plot, three compost heaps and opinions about all of them. Was a {job}.',
    'I grow dahlias against the wind and mostly lose.',
    'Seed swap organiser. If it will not germinate I want to hear about it.',
    'New on the waiting list, helping on plot 9 until a plot of my own comes up.',
    'Beans, bees and a bench. Come and sit. {job} on weekdays.',
  ],
  dinghies: [
    'Teaches Saturday juniors. If you can swim and listen, you can sail.',
    'Sails a leaky Mirror called Second Thoughts. {job} by trade.',
    'Fourth place, most Sundays. Third if Harriet is away.',
    'Safety boat driver. I like a day when I am not needed.',
    'Learned to sail at 58. Recommend it, all of it, even the capsizing.',
  ],
  swimmers: [
    'Off the slip at seven, every day, all year. No wetsuit, no hurry.',
    'I keep the water temperature log. Ask me about 2018.',
    '{job}. In the sea by breakfast, complaining about it by lunch.',
    'Slow swimmer, fast talker, carrier of the big thermos.',
    'Afraid of jellyfish. Going in anyway.',
  ],
  boatyard: [
    'Rebuilding a 1934 pilot cutter, one plank a winter.',
    'Spoons, oars, the odd coffin. Wood is wood. Retired {job}.',
    'If it floats I have probably sanded it.',
    'Apprentice at the yard. Learning to plane toward me.',
    'Varnish is a lifestyle. {job} to pay for it.',
  ],
  birds: [
    'Counts terns for the county. 214 pairs and rising.',
    'Warden of the shingle from April to August. Please mind the string.',
    'I was told retirement needs a hobby. It has wings. Formerly a {job}.',
    'Up before the gulls. Telescope always free for a look.',
  ],
  kitchen: [
    'Runs the Friday soup at the boathouse. Pay what you like.',
    'Bread, mostly rye. Orders by Wednesday, loaf by Saturday. {job} otherwise.',
    'Smokes mackerel in a filing cabinet. It works.',
    'Jam. So much jam.',
    'Cooks for forty, cannot cook for two.',
  ],
  choir: [
    'Second alto, shanty choir. We know eleven verses nobody else wants.',
    'Accordion and apologies. {job} before that.',
    'Sings bass, carries chairs.',
    'Tuesdays at the chapel, seven sharp. No auditions, bring a biscuit.',
  ],
  cameras: [
    'Photographs the harbour once a day from the same bollard. Year six.',
    'Film, mostly expired. {job} with wet feet.',
    'Walks the breakwater for the light and the gossip.',
    'Keeps the club archive. If you have a shoebox of slides, I want it.',
  ],
};

export const jobs = [
  'district nurse',
  'tax adviser',
  'bus driver',
  'primary teacher',
  'marine biologist',
  'joiner',
  'midwife',
  'translator',
  'postman',
  'software tester',
  'dentist',
  'plasterer',
  'librarian',
  'ferry engineer',
  'bookseller',
  'piano tuner',
  'paramedic',
  'surveyor',
  'hairdresser',
  'geography teacher',
  'welder',
  'baker',
  'physiotherapist',
  'bookkeeper',
  'lighthouse technician',
  'vet',
] as const;
