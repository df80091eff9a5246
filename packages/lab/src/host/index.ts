export {
  type AppFiles,
  createFolderFiles,
  type FileEvents,
  type FileRequest,
  fileOf,
  isPage,
  readAgent,
} from './app-files.ts';
export { appIdOf, appIds, idOf } from './app-ids.ts';
export { manifestPath, pagesOf, readAppManifest, readManifestFacts } from './app-manifest.ts';
export { createLabDocuments, type LabDocuments } from './lab-documents.ts';
export { readPageEvent } from './page-event.ts';
export { createPreparedWorlds } from './prepared-worlds.ts';
export { isTopLevel, pageHeaders, refusalOf } from './request-guard.ts';
