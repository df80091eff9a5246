import { optionalPersonFields } from '@gantry/wire';
import { birthdayOn, dayMs, type MemberRecord } from '../world-file.ts';

/** A friend of the first persona with unusual data. The member's id is that of the oddity. */
export interface OddMember extends MemberRecord {
  readonly what: string;
}

const markup = '<b onmouseover="alert(1)">Bold</b> & "Co"';

/** Bytes that the service allows for names and for other texts. */
const mostNameBytes = 4_000;
const mostTextBytes = 40_000;

/** @param nowMs Milliseconds since the epoch: ages are counted from there. */
export function oddMembers(nowMs: number): readonly OddMember[] {
  const soon = (days: number, age: number) => birthdayOn(nowMs + days * dayMs, age);
  return [
    {
      id: 'long-name',
      displayName: 'Bartholomäusbrückenwärterstochterkindsvaterschwagersfreundin',
      what: 'A name of sixty letters without a space.',
      birthday: soon(1, 60),
    },
    {
      id: 'long-words',
      displayName: 'Maria del Carmen Guadalupe Concepción Inmaculada de los Ángeles y Todos los Santos del Río',
      what: 'A name of fifteen words.',
      birthday: soon(2, 44),
    },
    {
      id: 'rtl-name',
      displayName: 'عبد الرحمن بن محمد الحداد 🎉',
      aboutMe: 'مرحبا بكم في صفحتي 🕌 (since 2019)',
      what: 'A name from right to left that ends with an emoji.',
      birthday: soon(0, 33),
    },
    {
      id: 'mixed-direction',
      displayName: 'שירה (Shira) 3 ג׳ – v2.0',
      what: 'A name with both directions, digits and brackets.',
    },
    {
      id: 'direction-override',
      displayName: 'Lee \u202Egpj.exe',
      what: 'A name with an override of direction (U+202E), which reverses what stands after it.',
    },
    {
      id: 'combining',
      displayName:
        'Z\u0338\u031B\u034E\u0347a\u0337\u0353\u035Dl\u0335\u032A\u030Ag\u0334\u031E\u033Fo\u0336\u0322\u0315 ไม้ไผ่ ꧅',
      what: 'A name of stacked combining marks, which reach into the lines above and below.',
    },
    {
      id: 'emoji-name',
      displayName: '👩🏽‍👩🏿‍👧🏻‍👦🏾🏳️‍🌈',
      what: 'A name of joined emoji: two of them, and 18 code points.',
    },
    {
      id: 'html-name',
      displayName: `${markup} <script>alert(1)</script>`,
      aboutMe: '</script><img src=x onerror="alert(1)">\n<h1>Large</h1>{{constructor.constructor("alert(1)")()}}',
      what: 'HTML in the name and the text about the member.',
      birthday: soon(5, 27),
    },
    { id: 'one-letter', displayName: 'Ы', what: 'A name of one letter.' },
    { id: 'invisible-name', displayName: '\u200B', what: 'A name that shows nothing: one zero-width space.' },
    {
      id: 'line-breaks',
      displayName: 'Anna\nBerta\tChris',
      aboutMe: 'One\n\n\n\nTwo\r\nThree',
      what: 'Line breaks and a tab in the name.',
    },
    { id: 'same-name-1', displayName: 'Sam Twin', what: 'A name that another friend has, too.', birthday: soon(3, 20) },
    { id: 'same-name-2', displayName: 'Sam Twin', what: 'A name that another friend has, too.', birthday: soon(3, 20) },
    {
      id: 'no-age',
      displayName: 'Nora Withheld',
      birthday: soon(4, 50),
      visibility: { age: 'private' },
      what: 'A withheld age: the birthday is `0000/MM/DD`, and `age` is empty.',
    },
    {
      id: 'no-age-leap-day',
      displayName: 'Leap Withheld',
      birthday: '2000/02/29',
      visibility: { age: 'private' },
      what: 'A withheld age and a birthday on 29 February: `0000/02/29`.',
    },
    { id: 'leap-day', displayName: 'Leap Year', birthday: '1996/02/29', what: 'A birthday on 29 February.' },
    { id: 'no-birthday', displayName: 'Nobody Knows', what: 'No birthday.' },
    { id: 'oldest', displayName: 'Methuselah Old', birthday: '1900/01/01', what: 'A birthday in 1900.' },
    {
      id: 'newborn',
      displayName: 'Baby New',
      birthday: soon(0, 0),
      what: 'A birthday of today: the age is 0, which is not absent.',
    },
    {
      id: 'withheld',
      displayName: 'Will Withhold',
      aboutMe: 'Hidden.',
      region: 'Hidden',
      birthday: soon(6, 30),
      gender: 'male',
      language: 'Hidden',
      visibility: Object.fromEntries(optionalPersonFields.map((field) => [field, 'private' as const])),
      what: 'Every optional field withheld: each is empty.',
    },
    { id: 'no-picture', displayName: 'Nina Faceless', thumbnailUrl: '', what: 'No picture: `thumbnailUrl` is empty.' },
    {
      id: 'dead-picture',
      displayName: 'Dan Gone',
      thumbnailUrl: '/pictures/gone.svg',
      what: 'A picture that is answered with 404.',
    },
    {
      id: 'foreign-picture',
      displayName: 'Faye Foreign',
      thumbnailUrl: 'https://pictures.invalid/faye.jpg',
      what: 'A picture on a host that the policy of app frames refuses.',
    },
    {
      id: 'wide-picture',
      displayName: 'Wide Winnie',
      thumbnailUrl: '/pictures/wide-4000x90.svg',
      what: 'A picture of 4,000 × 90 pixels.',
    },
    {
      id: 'longest',
      displayName: 'Longest '.repeat(mostNameBytes / 8),
      aboutMe: 'word '.repeat(mostTextBytes / 5),
      region: 'R'.repeat(mostNameBytes),
      language: 'L'.repeat(mostNameBytes),
      thumbnailUrl: `/avatars/1.svg?${'x'.repeat(2_000 - '/avatars/1.svg?'.length)}`,
      birthday: soon(7, 99),
      gender: 'female',
      what: 'The longest allowed name, text, region, language and address of a picture.',
    },
  ].map((member, index) => ({ thumbnailUrl: `/avatars/${index + 10}.svg`, ...member })) as readonly OddMember[];
}
