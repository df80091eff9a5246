/** State of member, page, network and site for a gadget. Absent members have their usual values. */
export interface Scenario {
  /** Name of a world that comes with Gantry, or the path of a world file. Default: `friendly`. */
  readonly world?: string;
  /** Viewer: an id of the world, or `nobody` for signed out. Default: the first persona. */
  readonly persona?: string;
  /** Owner of the page. Default: the persona. */
  readonly owner?: string;
  readonly view?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Width of the gadget's place in CSS pixels, 120 to 2560. Default: the page's. */
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly contrast?: 'normal' | 'more';
  readonly motion?: 'full' | 'reduce';
  readonly direction?: 'ltr' | 'rtl';
  /** BCP 47 tag. */
  readonly locale?: string;
  /** IANA name. */
  readonly timeZone?: string;
  /**
   * `slow`: calls take two more seconds. `fail-once`: the first of each operation fails with 503.
   */
  readonly network?: 'fast' | 'slow' | 'offline' | 'fail-once';
  /** Seconds by which the clock of site, page and frame is ahead. */
  readonly clock?: number;
  /** `all`: everything declared is granted. `none`: no decision. `without:NAME`: one withdrawn. */
  readonly permissions?: 'all' | 'none' | `without:${string}`;
  /** Version of the API that the site speaks. */
  readonly api?: '1.2' | '0.9.3';
  /** The site has albums. */
  readonly albums?: boolean;
  /** Seconds between two posts of a member through an app. */
  readonly interval?: number;
}

export type ScenarioName = keyof Scenario;

/** Persona for signed out. */
export const nobody = 'nobody';
