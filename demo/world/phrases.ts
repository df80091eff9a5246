import type { Circle } from './circles.ts';
import type { Random } from './random.ts';

/** Months, 1 to 12, in which a phrase can be true. */
export interface Phrases {
  readonly always: readonly string[];
  readonly spring: readonly string[];
  readonly summer: readonly string[];
  readonly autumn: readonly string[];
  readonly winter: readonly string[];
}

const slots: Readonly<Record<string, readonly string[]>> = {
  crop: [
    'courgettes',
    'runner beans',
    'chard',
    'beetroot',
    'onions',
    'leeks',
    'broad beans',
    'sweet peas',
    'kale',
    'squash',
    'tomatoes',
  ],
  one: ['courgette', 'cabbage', 'leek', 'marrow', 'dahlia', 'pumpkin', 'cucumber', 'parsnip'],
  boat: [
    'Kittiwake',
    'Second Thoughts',
    'Grace',
    'Old Pilot',
    'Merganser',
    'Marigold',
    'Nan Tuck',
    'Thrift',
    'the blue punt',
    'Isolde',
  ],
  gig: ['Kittiwake', 'Grace', 'Old Pilot', 'Isolde'],
  bird: [
    'Sandwich tern',
    'whimbrel',
    'spoonbill',
    'turnstone',
    'little egret',
    'great northern diver',
    'ringed plover',
    'black redstart',
    'purple sandpiper',
  ],
  loaf: ['rye', 'a seeded sourdough', 'two cottage loaves', 'saffron buns', 'oat and honey'],
  soup: [
    'leek and potato',
    'fish chowder',
    'carrot and cumin',
    'split pea',
    'mushroom and barley',
    'tomato and fennel',
    'harira',
  ],
  song: [
    'Lowlands Away',
    'Haul Away Joe',
    'The Leaving of Liverpool',
    'Rolling Down to Old Maui',
    'Shallow Brown',
    'South Australia',
  ],
  place: [
    'the breakwater',
    'the long slip',
    'Gull Steps',
    'the fish quay',
    'the boathouse',
    'the far pontoon',
    'Chapel Point',
    'the saltmarsh path',
  ],
  wind: [
    'a steady south-westerly',
    'four gusting six',
    'hardly a breath',
    'a cold northerly',
    'something warm from the south',
    'a proper easterly',
  ],
  person: [
    'my daughter',
    'the neighbours',
    'my dad',
    'half the crew',
    'a very patient stranger',
    'the twins',
    'my sister',
    'the night shift',
  ],
  thing: ['rowlock', 'tiller', 'stern post', 'centreboard', 'mast step', 'bilge pump', 'forward hatch', 'third plank'],
  number: ['three', 'four', 'five', 'six', 'seven', 'nine', 'eleven', 'fourteen'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  hour: ['six', 'half past six', 'seven', 'quarter past seven', 'eight', 'nine'],
};

const none = { spring: [], summer: [], autumn: [], winter: [] } as const;

/** Phrases that fit every circle. */
export const everyday: Phrases = {
  always: [
    '[Has anyone|Did anybody] [found|picked up] a [grey jumper|single glove, left|blue flask|bunch of keys with a cork float|child’s wellington, size 11] near {place}?',
    'Lost a [hat|contact lens|bet|good pencil] to [a gust|the ferry’s wash|a proper easterly]. [Goodbye, old friend.|It was my favourite.|Serves me right.]',
    'Sat on {place} for an hour and did nothing [at all|useful|I can report]. Recommended.',
    'The kettle at the boathouse is [mended|dead|on]. [Form an orderly queue.|Thank you, whoever that was.|You know what to do.]',
    '[Spare ticket|Two spare tickets] for [the quiz|film night|the lifeboat supper] on {day}, [first to ask|free to a good home].',
    'Who owns the [ginger cat|small brown dog|one-legged gull] that [has moved into|supervises|ate lunch at] {place}?',
    '{Number} people have asked me about {place} today. Yes, it is [open|closed|slippery|still there].',
    'Ladder borrowed, gutter cleared, ladder returned. Thank you [again|both|to number 12].',
    'Library van is at {place} until {hour}. I took [all the maps|the last thriller|three about octopuses].',
    'Fog so thick I [said good morning to a bollard|walked past my own door|could hear the ferry but not the quay].',
    'First [coffee|chips|argument about parking] of the day at {place}.',
    'Does anybody have a [long extension lead|wheelbarrow|sewing machine|trestle table] I could borrow until {day}?',
    'Walked {place} and back with {person}. {Number} dogs, one seal, no rain.',
    'Thank you to whoever left [the rhubarb|a jar of plum jam|a hand-drawn tide table|firewood] on the step.',
    '[Bus|Ferry] was late, so we all [finally talked to each other|shared a bag of cherries|learned each other’s names].',
    'Committee minutes are up. Short version: [yes to the bench|no to the fountain|the shed roof, again|we need a treasurer].',
    'The harbour office says [dredging starts {day}|the pontoon is shut until {day}|new ladders go in on {day}]. Tell [a friend|the swimmers|everyone].',
    'My [neighbour|mother|aunt] turns [eighty|ninety|sixty] on {day}. Cake at {place}, everybody.',
    'Low tide at {hour}, and {number} of us looking for [one earring|sea glass|the old mooring chain].',
    'Rainbow over {place}, both ends. [Nobody moved.|Forty people stopped walking.|No gold, I checked.]',
  ],
  spring: [
    'Swallows are back under the boathouse roof.',
    'First lunch outside. [Gloves on, but outside.|Wind won.|Nobody mentioned the temperature.]',
  ],
  summer: [
    'Too hot to think. Feet in the water at {place}.',
    'Light until ten. [Nobody is going home.|The children have stopped asking.]',
  ],
  autumn: [
    'Leaves in the gutters, visitors gone, [quay to ourselves|parking everywhere|soup again].',
    'Clocks change on Sunday. [An extra hour in bed or on the water?|The gulls will not be told.]',
  ],
  winter: [
    'Frost on the ropes this morning. [Beautiful. Do not step on it.|Everything creaks.]',
    'Lights are up along {place}. Thank you, ladder people.',
  ],
};

export const byCircle: Readonly<Record<Circle, Phrases>> = {
  gigs: {
    always: [
      'Rowed out to the cardinal mark and back in {gig}. [Hands gone, heart full.|Timing finally there.|Cox says we sounded like a piano falling downstairs.]',
      '{Gig} needs [a bow pair|one more at seat four|a cox] for {day}, {hour} sharp. [Beginners welcome.|Cake provided.|Please.]',
      '{Wind} today, so we did [short pieces behind the breakwater|technique on the ergs|tea].',
      'Caught a crab, nearly left the boat, [got a cheer from {place}|blamed seat five|laughed so much we had to stop].',
      'New oar leathers on {gig}. They squeak. [We like it.|It will pass.]',
      '[Two|Three] novices out for the first time tonight, and all of them [came back smiling|want to come again|asked where the brakes are].',
      'Beat our own time to the point by {number} seconds. [Nobody else was racing.|I am having that.|Downstream, but still.]',
      'Blister count: {number}. [Worth it.|Tape wins races.|Ask me tomorrow.]',
      'Whoever put {gig} away without [the plug|drying the stretchers|a word]: I know where you moor.',
      'Porpoises off the point, alongside us for [a whole piece|ten strokes|longer than our form lasted].',
    ],
    spring: [
      'Gigs are back in the water. So is the frost in my fingers.',
      'Regatta draw is out. We have the ladies from Porthmellin in heat one. [Gulp.|Bring it on.]',
    ],
    summer: [
      'Regatta: [third by a canvas|second!|last, but in style]. [Proud of this crew.|The tea was first class.]',
      'Evening row, flat calm, sun going down behind Chapel Point. [This is why.|No words from the cox for once.]',
    ],
    autumn: [
      'Last row before the clocks change. Head torches next week.',
      'Club supper: {number} puddings, one speech, no casualties.',
    ],
    winter: [
      'Erg session in the boathouse. {Number} of us steaming like horses.',
      'Sanding oars until my arms hum. Season starts in [ten|eight|six] weeks.',
    ],
  },
  plots: {
    always: [
      'Glut warning: {crop}. Crate by the gate, help yourself.',
      'Turned the compost. Found [a spoon from 1970|my good trowel|{number} slow worms|last year’s potato].',
      'Rain at last, and me with [the washing out|no hat|my shed roof off].',
      'Swapped a bag of {crop} for {loaf}. [I won.|Economy is healthy.|Best trade this year.]',
      'Pigeons: {number}. {Crop}: nil.',
      'Plot 17 has a bench now. [It wobbles, but the view does not.|Sit, you have earned it.|Mind the wet paint.]',
      'Weeded for two hours with {person}. The weeds [sent for reinforcements|have a plan, I am sure of it|are compost now].',
      'Does anybody want {number} [strawberry runners|raspberry canes|buckets of comfrey]? Bring a bag.',
      'The water tank by plot 30 is [leaking|full|home to a frog]. [Mended with tape.|Leave the frog.]',
      'My {one} has [fallen over|been photographed more than I have|developed a personality].',
    ],
    spring: [
      'Potatoes in. Backs out.',
      '{Number} trays of {crop} on the windowsill and nowhere to put the breakfast.',
      'Frost tonight: fleece on the beans, please, [all of you|even you, plot 9].',
      'Seed swap on {day}: I have {crop}, I want {crop}.',
    ],
    summer: [
      'First tomatoes. Ate them standing up, still warm.',
      'Show bench on {day}. My {one} is [resting|under guard|not for stroking].',
      '{Crop}, {crop} and more {crop}. Send recipes.',
      'Watered at {hour} in the evening and stayed for the bats.',
    ],
    autumn: [
      'Lifted the last of the {crop}. [Cold fingers, full crates.|That is the year done.]',
      'Pumpkin weigh-in: 31 kilos, [and he is called Gerald|and I have to get it home on a bicycle].',
      'Garlic in, leaves raked, flask empty.',
      'Bonfire on the top plots on {day}. Bring [sausages|anything that was once a shed].',
    ],
    winter: [
      'Digging. Robin supervising.',
      'Seed catalogue by the fire. [I have ordered too much.|This year I will be sensible. No.]',
      'Leeks out with a pickaxe. Soup by six.',
    ],
  },
  dinghies: {
    always: [
      'Capsized in front of {place}. [Slowly.|Twice.|To applause.]',
      'Juniors today: {number} boats out, as many back, [same children|everyone hungry|one wearing my hat].',
      '{Wind} at the outer mark. [Second reef and a grin.|I stayed in and made toast.|Glorious.]',
      'Fourth again. [Consistency is a virtue.|There are four of us.|I saw a seal, so who really won?]',
      'Anyone for crew on {day}? {Boat}, {hour}, [light winds|some bailing|dry clothes advised].',
      'Finished the splice. It only took {number} goes and a video.',
      '{Boat} has a new jib. She goes to windward now, which is [news|alarming|half the battle].',
      'Lovely reach back from Chapel Point, [everything humming|tea in one hand|no clever words].',
    ],
    spring: ['Launched! Only {number} things left ashore.', 'Varnish dry, mast up, wind gone.'],
    summer: [
      'Night sail on {day}, lanterns and all. Meet at {place}.',
      'Sailing camp is full. {Number} small people and one very large bag of oranges.',
    ],
    autumn: ['Last race cancelled, [gale|gale, again]. Prizes went to whoever brought soup.'],
    winter: ['{Boat} is in the garage. The car is not.', 'Rule book evening. We got as far as rule {number}.'],
  },
  swimmers: {
    always: [
      'In at {hour}. [Slack water, glass flat.|Jelly, but the friendly kind.|Quick dip, long cocoa.|Nobody talked for a whole minute.]',
      '{Number} of us off the slip this morning, and one [dog|seal|postman].',
      'Swam to the yellow buoy. [It is further than it looks.|Touched it. It counts.|It has moved, I swear.]',
      'Somebody has left their [towel|glasses|sandwich] on {place}. [The gulls have the sandwich.|It is with me.]',
      'Cannot feel my feet. Can feel [everything else|joy|the flask].',
      'Water so clear I could count [the pebbles|crabs|my own toes].',
      'Changed under a towel in {wind}. [Sorry, {place}.|There are no secrets left.]',
    ],
    spring: [
      '9.4 degrees. It has a nine in it!',
      'Took {person} in for the first time. [Screaming, then grinning.|They stayed longer than me.]',
    ],
    summer: [
      '17 degrees. Soup. [Bath.|Stayed in until my fingers went.]',
      'Moonlight swim tonight, {place}. Bring a light for the walk back.',
      'Phosphorescence! Every stroke.',
    ],
    autumn: ['13.1 and dropping. Woolly hat season.', 'Only the regulars left. The sea seems pleased.'],
    winter: [
      '6.8 degrees. Counted to sixty out loud, [in Welsh|twice|with swearing].',
      'New Year dip: who is in? I have {number} names and one horn helmet.',
    ],
  },
  boatyard: {
    always: [
      'The {thing} is out. It took [all day|a crowbar|{number} of us and a strong word].',
      'Found a penny from 1931 under the {thing}. Back it goes, for luck.',
      'Steaming planks on {day}. Come and [hold an end|watch|bring gloves].',
      'Measured twice, cut once, [wrong boat|swept up|perfect].',
      'Seventh coat of varnish. [Then a fly landed in it.|I can see my face, which is a pity.]',
      '{Boat} is off the slip and [floating level|only a bit damp|prettier than her owner].',
      'Looking for bronze screws, inch and a half, eights. [I will swap for {loaf}.|Somebody must have a tin.]',
      'The bandsaw is back from the mender. [Count your fingers.|The yard sings again.]',
    ],
    ...none,
    winter: [
      'Stove lit in the big shed. Dogs have taken the good places.',
      'Half the keel is new now. Is it still her? Discuss over tea.',
    ],
    spring: ['Launch week. Crane on {day}, patience from {day}.'],
  },
  birds: {
    always: [
      '{Bird} off {place} at first light. [Showing well.|Heard before seen.|And nobody there to believe me.]',
      'Count from the hide: {number} {bird}s, one peregrine, no peace.',
      'A {bird}! On {place}! [I dropped my sandwich.|I am calm. I am not calm.|Lifer.]',
      'Please keep dogs on leads along the shingle. [The chicks thank you.|They nest where we walk.]',
      'Cleaned the hide window. It turns out there is a [view|marsh|second island].',
      'High tide roost at {hour}: about two thousand waders lifting at once. [No sound like it.|I forgot to count.]',
    ],
    spring: [
      'First tern of the year, fishing off the quay. Welcome home.',
      '{Number} nests on the spit already. String is up.',
    ],
    summer: [
      'Fledged! {Number} young terns on the wing.',
      'Ringing on {day}, early. Volunteers with small hands very welcome.',
    ],
    autumn: ['Wild geese over the town at midnight. Went out in my socks to hear them.'],
    winter: ['Eleven divers in the bay, [low sun, no wind|frozen fingers, happy|best day of the winter].'],
  },
  kitchen: {
    always: [
      'Friday soup: {soup}. From [noon|half past twelve] at the boathouse, bring a bowl.',
      'Oven is on. {Loaf} by {hour}, [knock at the side door|last few on the sill].',
      'Fed {number} tonight with one pan and {person} washing up.',
      'I have {number} jars of plum chutney and [no regrets|no shelf left|nobody left to give them to].',
      'Mackerel came in, mackerel went in the smoker, mackerel is gone. [Next batch {day}.|You snooze, you lose.]',
      'Tried seaweed in the {soup}. [Quiet approval.|Never again.|Empty pot, so there.]',
      'Does anyone have my big pan? It went to the [christening|regatta|choir] and never came home.',
    ],
    ...none,
    summer: [
      'Long table on the quay on {day}. Bring a chair, a dish and somebody new.',
      'Elderflower is done: {number} bottles, sticky floor.',
    ],
    autumn: ['Apple day at {place}: press is booked, bring your windfalls and a clean bottle.'],
    winter: ['Marmalade weather. The whole street smells of oranges.', 'Mince pies: {number} dozen and holding.'],
  },
  choir: {
    always: [
      'We have learned {song}. [All of it.|The basses have learned most of it.|Windows closed, you are welcome.]',
      'Rehearsal moved to {day}, {hour}, at {place}. [Bring a torch.|Bring a biscuit.|Bring the music you took home in March.]',
      'Sang {song} to [the ferry queue|{person}|a wedding]. [They joined in!|One encore, no fruit.|There were tears, good ones.]',
      'Wanted: tenors. [Any size.|Must like biscuits.|We are down to one and he has a cold.]',
      'Still humming {song}. It is {hour}. Help.',
      'Accordion repaired with [sailmaker’s tape|a plectrum|hope]. Sounds [better|the same|like weather].',
    ],
    ...none,
    summer: ['Shanties on the quay tonight. [Free, loud.|Sunset is the interval.]'],
    winter: ['Carols at {place} on {day}. Mulled things. Gloves with fingers cut off.'],
  },
  cameras: {
    always: [
      'Same bollard, same time, [all different|day 2,190|new boat in the corner].',
      'Roll came back: {number} good ones, [one thumb|mostly fog, on purpose now|{place} doing what it does].',
      'The light on {place} at {hour}. [Ran for the camera.|Left the camera home and just looked.]',
      'Scanned a shoebox for the archive. [Who is the woman with the eel?|Regatta 1958, and it rained then too.|That shed has always leaned.]',
      'Print swap on {day}: bring one, take one home.',
      'Portrait evening at the boathouse. {Number} faces, [no filters|all of them better than they think].',
    ],
    ...none,
    autumn: ['Low sun, long shadows. I have been out since {hour} and my phone is full.'],
    winter: ['Snow on the boats, for eleven minutes. Got it.'],
  },
};

/** Phrases in other languages, for members whose own language is not English. */
export const inOtherWords: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Heute früh Nebel, mittags Kuchen. So soll es sein.',
    'Wer hat noch Platz im Boot am Samstag?',
    'Sieben Grad im Wasser, aber das Herz ist warm.',
  ],
  nl: ['Wind mee heen, wind tegen terug. Zoals altijd.', 'Vanavond erwtensoep in het boothuis!'],
  fr: [
    'Le port ce matin, silence et mouettes.',
    'Qui vient ramer jeudi ? Il y aura des crêpes.',
    'Retour de marché : trop de tomates, comme toujours.',
  ],
  es: ['El mar hoy, un plato. Nos vemos en el muelle.', '¿Alguien tiene semillas de pimiento de Padrón?'],
  pt: ['Que manhã! Água lisa e café quente.', 'Sardinhas no cais, sábado ao fim da tarde.'],
  it: ['Mare piatto, pane caldo. Buongiorno a tutti.', 'Stasera si canta al molo!'],
  sv: ['Kallt bad, varmt kaffe.', 'Båten är i! Äntligen.'],
  fi: ['Sauna, meri, hiljaisuus.', 'Ensimmäiset perunat maasta.'],
  pl: ['Rano na pomoście cicho i pięknie.', 'Mam za dużo cukinii, kto chce?'],
  cs: ['Ráno mlha, odpoledne plachty.', 'Kdo přijde v pátek na polévku?'],
  tr: ['Rüzgâr bizden yana, hadi denize!', 'Çay hazır, iskelede bekliyorum.'],
  cy: ['Bore braf ar y cei.', 'Pwy sy’n dod i ganu nos Fawrth?'],
  vi: ['Sáng nay biển lặng như gương.', 'Ai muốn ít rau muống không?'],
  sw: ['Bahari imetulia leo. Karibuni.', 'Chai iko tayari bandarini!'],
  hi: ['आज समुद्र शांत है।', 'इतवार को सबके लिए चाय मेरी तरफ़ से।'],
  mi: ['He ata mārie ki te wahapū.', 'Kei te waka mātou āpōpō!'],
  uk: ['Ранок на причалі: тиша і чайки.', 'Хто завтра на веслування?'],
  el: ['Ήσυχη θάλασσα σήμερα.', 'Ποιος θέλει ντομάτες από τον κήπο;'],
  ar: ['صباح هادئ على الرصيف، والشاي جاهز.', 'من يأتي معنا إلى البحر يوم السبت؟'],
  he: ['בוקר שקט בנמל.', 'מי בא לחתור ביום חמישי?'],
  ja: ['朝の港はとても静かでした。', '畑の大根、もらってください。'],
  ko: ['오늘 바다는 거울 같네요.', '토요일에 같이 노 저을 사람?'],
  zh: ['清晨的码头，只有海鸥和我。', '菜园丰收，欢迎来拿。'],
};

const seasons = [
  'winter',
  'winter',
  'spring',
  'spring',
  'spring',
  'summer',
  'summer',
  'summer',
  'autumn',
  'autumn',
  'autumn',
  'winter',
] as const;

/**
 * Returns the phrases that can be true in `month` (1 to 12), with more weight for seasonal ones.
 */
export function phrasesFor({ always, ...seasonal }: Phrases, month: number): readonly string[] {
  const season = seasonal[seasons[month - 1] ?? 'winter'];
  return [...always, ...season, ...season];
}

/** Fills in a phrase: `[this|or that]` is chosen, `{slot}` is filled, `{Slot}` with a capital. */
export function say(random: Random, phrase: string): string {
  const chosen = phrase.replace(/\[([^\]]*)\]/g, (_, options: string) => random.pick(options.split('|')));
  return chosen.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const words = random.pick(slots[slot.toLowerCase()] ?? [slot]);
    return slot === slot.toLowerCase() ? words : words.charAt(0).toUpperCase() + words.slice(1);
  });
}
