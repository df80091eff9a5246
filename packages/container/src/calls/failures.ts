import { failure } from '@gantry/bridge';

export const aborted = failure('ABORTED', 'The call was given up.');
export const appReplaced = failure('APP_REPLACED', 'Another app has this id now.');
export const viewerChanged = failure('UNAUTHORIZED', 'Another member is signed in now.');
