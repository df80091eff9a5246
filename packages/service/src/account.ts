export { type AttemptLimit, createAttemptLimits } from './auth/attempt-limits.ts';
export {
  type Authorization,
  allowAuthorization,
  denyAuthorization,
  listAuthorizations,
  type Pending,
  pendingAuthorization,
  revokeAuthorization,
} from './auth/authorizations.ts';
export { checkPassword } from './auth/member-password.ts';
export { passwordLength } from './auth/passwords.ts';
export { createSessions, type Session } from './auth/sessions.ts';
export { type LevelIndex, levelIndex, levels } from './authorize.ts';
export { asSocialError } from './http/answer.ts';
export { maxFrames, maxPixels, maxSide, maxWholePixels } from './images/encode.ts';
export { imageError, isImageFault } from './images/image-error.ts';
export { createImages, tooManyPhotos } from './images/images.ts';
export { addAlbum, findAlbum, listAlbums, type MemberAlbum, removeAlbum, saveAlbum } from './photos/album-rows.ts';
export { type Described, type PhotoPlace, readSpace, type Space } from './photos/member-items.ts';
export {
  addPhoto,
  findPhoto,
  listPhotos,
  type MemberPhoto,
  openPreview,
  removePhoto,
  savePhoto,
} from './photos/photo-rows.ts';
export { createSiteReader } from './settings.ts';
export { type AccountMember, findAccountMember } from './store/members.ts';
export type { Flow } from './store/request-tokens.ts';
