import { type Album, type MediaItem, osapi } from '@gantry/osapi';
import { copy, element } from './element.ts';
import { createListing, fetchMore, hasMore, type Listing } from './listing.ts';
import { openPhoto } from './photo.ts';
import { say, show } from './screens.ts';

const more = element<HTMLButtonElement>('more-photos');
let current: { readonly album: Album; readonly photos: Listing<MediaItem>; readonly close: () => void } | undefined;

more.addEventListener('click', () => void showPhotos());
element('all-albums').addEventListener('click', () => current?.close());
element('album').addEventListener('keydown', (event) => {
  if (event.key === 'Escape') current?.close();
});

/** Shows the photos of an album; `onClose` runs when the viewer goes back. */
export async function openAlbum(album: Album, { onClose }: { onClose: () => void }): Promise<void> {
  current = { album, photos: createListing(), close: onClose };
  element('album-title').textContent = album.title;
  element('album-about').textContent = album.description;
  element('photo-list').replaceChildren();
  more.hidden = true;
  show('album');
  element('album-title').focus();
  await showPhotos();
}

/** Shows one more page of photos. */
async function showPhotos(): Promise<void> {
  const { mediaItems } = osapi;
  if (!current || !mediaItems) return;
  const opened = current;
  const { album, photos } = opened;
  more.disabled = true;
  try {
    await fetchMore(photos, (startIndex) =>
      mediaItems.get({ userId: album.ownerId, albumId: album.id, count: 24, startIndex }),
    );
    if (opened === current) render(photos); // another album may be open by now
  } catch {
    if (opened === current) say('These photos could not be fetched just now.', () => void showPhotos());
  }
  more.disabled = false;
}

function render(photos: Listing<MediaItem>): void {
  element('photo-list').replaceChildren(
    ...photos.items.map((photo, index) => renderThumbnail(photo, { photos, index })),
  );
  more.hidden = !hasMore(photos);
  show('album');
}

function renderThumbnail(
  photo: MediaItem,
  { photos, index }: { photos: Listing<MediaItem>; index: number },
): HTMLElement {
  const item = copy('thumbnail');
  const button = item.querySelector('button') as HTMLButtonElement;
  const image = item.querySelector('img') as HTMLImageElement;
  image.onerror = () => showInstead(button, photo);
  image.src = photo.thumbnailUrl || photo.url;
  // A thumbnail has 180 pixels: fewer than a tile has on most screens. The sizes are those of
  // `.wall`, roughly.
  if (photo.thumbnailUrl) {
    image.srcset = `${photo.thumbnailUrl} 180w, ${photo.url} 1000w`;
    image.sizes = '9rem';
  }
  image.alt = photo.title;
  button.addEventListener('click', () => {
    openPhoto(photos.items, {
      index,
      onClose: (last) => {
        show('album');
        // Returns to the last photo shown, not to the first.
        element('photo-list').querySelectorAll('button')[last]?.focus();
      },
    });
  });
  return item;
}

/** Replaces a picture that does not load by its name. */
function showInstead(button: HTMLButtonElement, { title }: MediaItem): void {
  if (button.classList.contains('missing')) return;
  const name = document.createElement('span');
  name.className = 'instead';
  name.dir = 'auto';
  name.textContent = title || 'A photo that did not load';
  button.classList.add('missing');
  button.append(name);
}
