import { optionalPersonFields } from '@gantry/wire';
import type { MemberRecord } from '../world-file.ts';
import { type Culture, cultures } from './names.ts';
import { below, type Draw, use } from './random.ts';

const levels = ['friends', 'private'] as const;

const pastimes = [
  'Paints small boats.',
  'Grows tomatoes on a balcony.',
  'Walks to work, whatever the weather.',
  'Collects maps of places that are gone.',
  'Bakes bread on Sundays.',
  'Plays the second violin.',
  'Repairs old radios.',
  'Learns a language every winter.',
] as const;

export function memberRecord(draw: Draw, id: string, subject: number): MemberRecord {
  const culture = of(cultures, draw(use.culture, subject));
  const isFemale = draw(use.gender, subject) % 2 === 0;
  const about = draw(use.about, subject) % 3 === 0 ? of(pastimes, draw(use.about, subject, 1)) : undefined;
  const hasBirthday = draw(use.birthday, subject) % 10 < 8;
  const visibility = hiddenFields(draw, subject);
  return {
    id,
    displayName: nameOf(culture, isFemale, draw, subject),
    thumbnailUrl: `/avatars/${draw(use.hidden, subject, 99) % 64}.svg`,
    ...(about !== undefined && { aboutMe: about }),
    ...(draw(use.region, subject) % 10 < 7 && { region: culture.region }),
    ...(hasBirthday && { birthday: birthday(draw, subject) }),
    ...(draw(use.gender, subject, 1) % 10 < 8 && { gender: isFemale ? 'female' : 'male' }),
    ...(draw(use.language, subject) % 10 < 6 && { language: culture.language }),
    ...(visibility !== undefined && { visibility }),
  };
}

function nameOf(culture: Culture, isFemale: boolean, draw: Draw, subject: number): string {
  const first = of(isFemale ? culture.female : culture.male, draw(use.givenName, subject));
  const family = of(culture.family, draw(use.familyName, subject));
  return culture.familyFirst ? `${family} ${first}` : `${first} ${family}`;
}

function birthday(draw: Draw, subject: number): string {
  const [year, month, day] = [
    1940 + below(69, draw(use.birthday, subject, 1)),
    1 + below(12, draw(use.birthday, subject, 2)),
    1 + below(28, draw(use.birthday, subject, 3)),
  ];
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('/');
}

/** Hides a field or two from strangers, for one member in four. */
function hiddenFields(draw: Draw, subject: number): MemberRecord['visibility'] {
  if (draw(use.hidden, subject) % 4 !== 0) return undefined;
  return {
    [of(optionalPersonFields, draw(use.hidden, subject, 1))]: of(levels, draw(use.level, subject, 1)),
    [of(optionalPersonFields, draw(use.hidden, subject, 2))]: of(levels, draw(use.level, subject, 2)),
  };
}

export function of<T>(list: readonly T[], drawn: number): T {
  return list[below(list.length, drawn)] as T;
}
