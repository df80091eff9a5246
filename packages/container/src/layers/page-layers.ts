import { createLayerKeeper, type ToastLayer } from './layer-keeper.ts';
import { topmostAt } from './placement.ts';
import { type Box, placeToasts, type ToastPlace } from './toast-place.ts';

/** Questions, notices, menus and cards of a gadget. */
const obstacleSelector = '.consent,.notice,.card,.canvas-bar,[part~=outbox],[part~=preview],[popover]:popover-open';
const widthPx = 416;
const retryMs = 250;

const pages = new WeakMap<Document, ReturnType<typeof createPageLayers>>();

/** Returns the one layer keeper of a page, for all its gadgets, dialogs and toasts. */
export function layersOf(page: Document) {
  const layers = pages.get(page) ?? createPageLayers(page);
  pages.set(page, layers);
  return layers;
}

function createPageLayers(page: Document) {
  const window = page.defaultView as Window & typeof globalThis;
  const now = () => window.performance.now();
  const rootSet = new WeakSet<ShadowRoot>();
  let roots: readonly WeakRef<ShadowRoot>[] = []; // a gadget that is gone is not kept
  const keeper = createLayerKeeper({ now, hasRoom: () => now() >= coveredUntilMs && findPlace() });
  let region: HTMLElement | undefined;
  let current: ToastPlace | undefined;
  let coveredUntilMs = 0;
  let isChecking = false;

  function findPlace(): boolean {
    const { clientWidth: width, clientHeight: height } = page.documentElement;
    const wanted = region?.isConnected ? region.scrollHeight : 0;
    const options = { view: { width, height: Math.min(height, window.innerHeight) }, width: widthPx, wanted, current };
    current = placeToasts({ ...options, obstacles: boxesIn(present(), width, window.innerHeight) });
    if (current && region?.isConnected) put(region, current);
    return current !== undefined;
  }

  function present(): readonly ShadowRoot[] {
    return roots.flatMap((root) => root.deref() ?? []).filter(({ isConnected }) => isConnected);
  }

  /** Runs before each paint while there are toasts, since no event reports every movement. */
  function check(): void {
    isChecking = keeper.isNeeded;
    if (!isChecking) return;
    keeper.update();
    if (region?.isConnected && isUnreachable(region)) {
      raise(region);
      if (isUnreachable(region)) {
        // Below a modal dialog or another layer of the site: taps would go through the toast.
        coveredUntilMs = now() + retryMs;
        keeper.update();
      }
    }
    window.requestAnimationFrame(check);
  }

  return {
    openModal: keeper.openModal,
    whenFree: keeper.whenFree,
    /** True while a modal question is open. */
    get hasModal(): boolean {
      return keeper.hasModal;
    },
    /** Keeps toasts off the questions, notices and menus in the shadow tree of a gadget. */
    keepClear(root: ShadowRoot): void {
      if (rootSet.has(root)) return;
      rootSet.add(root);
      roots = [...roots.filter((other) => other.deref()), new WeakRef(root)];
    },
    /** Adds a toast; the returned function removes it. */
    add(passing: ToastLayer): () => void {
      const forget = keeper.add(passing);
      keeper.update();
      if (!isChecking) check();
      return forget;
    },
    /** Positions the element that contains all toasts. */
    place(element: HTMLElement): void {
      region = element;
      if (current) put(region, current);
    },
  };
}

function put(region: HTMLElement, { edge, left, maxHeight }: ToastPlace): void {
  const { style } = region;
  const inset = edge === 'bottom' ? 'auto auto 0px' : '0px auto auto';
  if (style.inset !== `${inset} ${left}px`) style.inset = `${inset} ${left}px`;
  if (style.maxBlockSize !== `${maxHeight}px`) style.maxBlockSize = `${maxHeight}px`;
}

/** Moves an element above everything that entered the top layer since. */
export function raise(region: HTMLElement): void {
  region.hidePopover?.();
  region.showPopover?.();
}

function isUnreachable(region: HTMLElement): boolean {
  const { left, top, width, height } = region.getBoundingClientRect();
  const hit = topmostAt(left + width / 2, top + height / 2);
  return hit !== null && hit !== region && !region.shadowRoot?.contains(hit);
}

/** Returns the boxes of questions, notices and menus in view, without those below a large view. */
function boxesIn(roots: readonly ShadowRoot[], width: number, height: number): readonly Box[] {
  const large = roots.find(({ host }) => host.hasAttribute('maximised'));
  return (large ? [large] : roots)
    .flatMap((root) => [...root.querySelectorAll(obstacleSelector)])
    .filter((element) => element.checkVisibility?.() !== false)
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.right > 0 && box.bottom > 0 && box.left < width && box.top < height);
}
