import { isRecord } from '@gantry/wire';

/** @param origin Origin that draws pictures of worlds; without one all addresses stay. */
export function createPictures(origin: string | undefined) {
  const taped = new Map<string, string>();

  function shown(address: string, folder: 'avatars' | 'pictures'): string {
    if (origin === undefined || address === '') return address;
    const picture = `${origin}/${folder}/${address.replace(/[^\w.-]+/g, '-').slice(-80)}.svg`;
    taped.set(picture, address);
    return picture;
  }

  /** Returns a value with addresses of pictures that load. */
  function show(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(show);
    if (!isRecord(value)) return value;
    const { thumbnailUrl, type } = value;
    const folder = 'displayName' in value ? 'avatars' : 'pictures';
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isPicture = name === 'thumbnailUrl' || (name === 'url' && type === 'IMAGE' && thumbnailUrl !== undefined);
        return [name, isPicture && typeof member === 'string' ? shown(member, folder) : show(member)];
      }),
    );
  }

  return {
    show,
    /** Reads JSON of the app, with the addresses that the tape has. */
    read: (text: string): unknown =>
      JSON.parse(text, (_, value) => (typeof value === 'string' ? (taped.get(value) ?? value) : value)),
  };
}
