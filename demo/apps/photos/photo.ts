import type { MediaItem } from '@gantry/osapi';
import { element } from './element.ts';
import { show } from './screens.ts';

const previous = element<HTMLButtonElement>('previous');
const next = element<HTMLButtonElement>('next');
const large = element<HTMLImageElement>('large');

let photos: readonly MediaItem[] = [];
let at = 0;
let close: (index: number) => void = () => {};

previous.addEventListener('click', () => turnTo(at - 1));
next.addEventListener('click', () => turnTo(at + 1));
element('close').addEventListener('click', () => close(at));
element('photo').addEventListener('keydown', (event) => {
  if (event.key === 'ArrowLeft') turnTo(at - 1);
  if (event.key === 'ArrowRight') turnTo(at + 1);
  if (event.key === 'Home') turnTo(0);
  if (event.key === 'End') turnTo(photos.length - 1);
  if (event.key === 'Escape') close(at);
});

/**
 * Shows one of `items` large. Arrow keys turn pages, Escape closes; `onClose` receives the last one
 * shown.
 */
export function openPhoto(
  items: readonly MediaItem[],
  { index, onClose }: { index: number; onClose: (index: number) => void },
): void {
  photos = items;
  close = onClose;
  show('photo');
  turnTo(index);
  element('photo').focus(); // keys work at once
}

function turnTo(index: number): void {
  const photo = photos[index];
  if (!photo) return;
  at = index;
  large.src = photo.url;
  large.alt = photo.title;
  element('photo-title').textContent = photo.title;
  element('photo-about').textContent = photo.description;
  element('position').textContent = `${index + 1} of ${photos.length}`;
  // Not `disabled`: a focused button that is disabled loses the focus, and with it the keys.
  previous.ariaDisabled = String(index === 0);
  next.ariaDisabled = String(index === photos.length - 1);
  fetchAhead(photos[index + 1]);
}

function fetchAhead(photo: MediaItem | undefined): void {
  if (photo) new Image().src = photo.url;
}
