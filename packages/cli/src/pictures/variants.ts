import type { StoryFacts } from '@gantry/dev';

export interface Picture {
  readonly story: StoryFacts;
  readonly theme: 'light' | 'dark';
  readonly size: 'narrow' | 'wide';
  /** CSS pixels. */
  readonly width: number;
  readonly direction: 'ltr' | 'rtl';
  /** Path below the pictures' folder, with slashes. The same in each run. */
  readonly file: string;
}

const narrowPx = 360;
const widePx = 720;

/** Lists the eight pictures of a story: light and dark, narrow and wide, in two directions. */
export function picturesOf(story: StoryFacts): readonly Picture[] {
  const sizes = { narrow: narrowPx, wide: story.scenario.width ?? widePx };
  return (['light', 'dark'] as const).flatMap((theme) =>
    (['narrow', 'wide'] as const).flatMap((size) =>
      (['ltr', 'rtl'] as const).map((direction) => {
        const file = `${story.app}/${story.name}-${theme}-${size}-${direction}.png`;
        return { story, theme, size, width: sizes[size], direction, file };
      }),
    ),
  );
}

/**
 * Returns whether a story's id matches a pattern: `*` stands for any text; without one, a part of
 * the id is enough.
 *
 * @example
 * isMeant('friends/empty', 'friends/*'); // true
 * isMeant('friends/empty', 'empty'); // true
 */
export function isMeant(id: string, pattern: string): boolean {
  if (!pattern.includes('*')) return id.includes(pattern);
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(id);
}
