/** Paths of the photo pages. Ids need no encoding. */
export const paths = {
  albums: '/account/photos',
  newAlbum: '/account/photos/new-album',
  album: (id: string) => `/account/photos/album/${id}`,
  editAlbum: (id: string) => `/account/photos/album/${id}/edit`,
  deleteAlbum: (id: string) => `/account/photos/album/${id}/delete`,
  upload: (id: string) => `/account/photos/album/${id}/upload`,
  photo: (id: string) => `/account/photos/photo/${id}`,
  deletePhoto: (id: string) => `/account/photos/photo/${id}/delete`,
  preview: (id: string) => `/account/photos/photo/${id}/preview`,
} as const;
