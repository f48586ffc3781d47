/** Worker to page: asks for the token; answered on the port that comes with it. */
export const GET_AUTH_TOKEN = 'GET_AUTH_TOKEN';
/** Page to worker, or worker to the one that waits: take over now. */
export const SKIP_WAITING = 'SKIP_WAITING';

export const UPDATE_TAG = 'update-notification';
export const UPDATE_NOW = 'update-now';
export const LATER = 'later';
