// A wall of albums, the photos of one of them, and one photo large: three screens in one frame.
import { type Album, OsapiError, osapi } from '@gantry/osapi';
import { openAlbum } from './album.ts';
import { copy, element } from './element.ts';
import { createListing, fetchMore, hasMore } from './listing.ts';
import { say, show } from './screens.ts';

const albums = createListing<Album>();
const noAlbums = 'This site has no photo albums.';
const more = element<HTMLButtonElement>('more-albums');

more.addEventListener('click', () => void showAlbums());
void showAlbums().then(watchAlbums);

/** The first result may come from the cache; albums made on the site since then follow later. */
function watchAlbums(): void {
  osapi.albums?.get({ userId: '@owner', count: 24, startIndex: 0 }).subscribe(
    ({ list, totalResults }) => {
      if (JSON.stringify(list) === JSON.stringify(albums.items.slice(0, list.length)) && totalResults === albums.total)
        return;
      albums.items.splice(0, albums.items.length, ...list);
      albums.total = totalResults;
      if (list.length > 0 && element('album').hidden && element('photo').hidden) render();
    },
    () => {}, // `showAlbums` reported it
  );
}

/** Shows one more page of albums. */
async function showAlbums(): Promise<void> {
  const { albums: site } = osapi;
  if (!site) return say(noAlbums); // the site may lack the album extension
  if (more.ariaBusy === 'true') return;
  more.ariaBusy = 'true'; // not disabled: it would lose the focus
  try {
    // Both calls leave together; without a viewer the first one fails, and its error is shown.
    const [viewer] = await Promise.all([
      osapi.people.getViewer(),
      fetchMore(albums, (startIndex) => site.get({ userId: '@owner', count: 24, startIndex })),
    ]);
    if (albums.items.length === 0)
      say(viewer.isOwner ? 'No albums yet. The harbour is waiting.' : 'No albums to show yet.');
    else render();
  } catch (error) {
    if (error instanceof OsapiError && error.code === 401) say('Sign in to see photos.');
    else if (error instanceof OsapiError && error.code === 501) say(noAlbums);
    else say('Albums could not be fetched just now.', () => void showAlbums());
  }
  more.ariaBusy = 'false';
}

function render(): void {
  element('album-list').replaceChildren(...albums.items.map(renderCover));
  more.hidden = !hasMore(albums);
  show('albums');
}

function renderCover(album: Album): HTMLElement {
  const item = copy('cover');
  const button = item.querySelector('button') as HTMLButtonElement;
  const image = item.querySelector('img') as HTMLImageElement;
  image.onerror = () => button.classList.add('missing');
  if (album.thumbnailUrl) image.src = album.thumbnailUrl;
  else button.classList.add('missing');
  (item.querySelector('strong') as HTMLElement).textContent = album.title;
  (item.querySelector('.caption > span') as HTMLElement).textContent = countOf(album);
  button.addEventListener('click', () => {
    void openAlbum(album, {
      onClose: () => {
        show('albums');
        button.focus();
      },
    });
  });
  return item;
}

function countOf({ mediaItemCount }: Album): string {
  return mediaItemCount === 1 ? '1 photo' : `${mediaItemCount} photos`;
}
