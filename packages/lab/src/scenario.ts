// One state of a gadget on a page, as data: the dev host has it in its address, stories name it, tests mount it.

/** What a member, a page, a network and a site are while a gadget is looked at. What is left out is as on a usual site. */
export interface Scenario {
  /** Name of a world that comes with Gantry, or the path of a world file. Default: `pleasant`. */
  readonly world?: string;
  /** Member who looks: an id of the world, or `nobody` for somebody who is not signed in. Default: the world's first persona. */
  readonly persona?: string;
  /** Member whose page it is. Default: the persona. */
  readonly owner?: string;
  readonly view?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Width of the gadget's place in CSS pixels, 120 to 2560. Default: as wide as the page allows. */
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly contrast?: 'normal' | 'more';
  readonly motion?: 'full' | 'reduce';
  readonly direction?: 'ltr' | 'rtl';
  /** BCP 47 tag. */
  readonly locale?: string;
  /** IANA name. */
  readonly timeZone?: string;
  /** `slow`: each call takes two seconds longer. `fail-once`: the first call of each operation fails with 503. */
  readonly network?: 'fast' | 'slow' | 'offline' | 'fail-once';
  /** Seconds by which the clock of site, page and frame is ahead. */
  readonly clock?: number;
  /** `all`: the member allowed everything the app declares. `none`: nobody was asked yet. `without:NAME`: one was taken back. */
  readonly permissions?: 'all' | 'none' | `without:${string}`;
  /** Version of the API that the site speaks. */
  readonly api?: '1.2' | '0.9.3';
  /** Whether the site has albums. */
  readonly albums?: boolean;
  /** Seconds between two posts of a member through an app. */
  readonly interval?: number;
}

export type ScenarioName = keyof Scenario;

export type { Story, StoryProps } from './story.ts';
