export const restRoot = '/social/rest/';

/** Path prefix of media files. A secret token follows, which only viewers of the item get. */
export const mediaPath = '/gantry/media/';
