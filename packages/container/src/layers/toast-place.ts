/** A rectangle of the window, in CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Position of all toasts: a column at the upper or lower edge of the window. */
export interface ToastPlace {
  readonly edge: 'top' | 'bottom';
  readonly left: number;
  readonly maxHeight: number;
}

const marginPx = 8;
/** Height that fits one toast; a longer one is scrolled. */
const leastPx = 128;

/**
 * Finds a place for toasts where they cover none of `obstacles`: the middle of the lower edge, its
 * ends, then the upper edge. At most half of the window's height, in which toasts are scrolled.
 *
 * @param options.width Width of a toast.
 * @param options.wanted Height of all toasts.
 * @param options.current Present place, which is kept while the toasts fit there.
 * @returns `undefined` if there is no such place.
 */
export function placeToasts(options: {
  readonly view: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly wanted: number;
  readonly obstacles: readonly Box[];
  readonly current?: ToastPlace | undefined;
}): ToastPlace | undefined {
  const { view, wanted, obstacles, current } = options;
  const width = Math.min(options.width, view.width);
  const most = Math.max(view.height / 2, Math.min(leastPx, view.height));
  const spare = view.width - width;
  const columns = spare > 0 ? [spare / 2, spare, 0] : [0];
  const places = (['bottom', 'top'] as const).flatMap((edge) =>
    columns.map((left): ToastPlace => {
      const inColumn = obstacles.filter((box) => box.right > left && box.left < left + width);
      const distances = inColumn.map((box) => (edge === 'top' ? box.top : view.height - box.bottom) - marginPx);
      return { edge, left, maxHeight: Math.min(most, ...distances) };
    }),
  );
  const needed = Math.max(Math.min(wanted, most), Math.min(leastPx, most));
  const fitting = places.filter(({ maxHeight }) => maxHeight >= needed);
  const stays = fitting.find(({ edge, left }) => edge === current?.edge && left === current.left);
  return stays ?? fitting[0] ?? largest(places.filter(({ maxHeight }) => maxHeight >= Math.min(leastPx, most)));
}

function largest(places: readonly ToastPlace[]): ToastPlace | undefined {
  return [...places].sort((a, b) => b.maxHeight - a.maxHeight)[0];
}
