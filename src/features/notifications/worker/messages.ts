/** Worker to page: requests the token; answered on the port sent with it. */
export const GET_AUTH_TOKEN = 'GET_AUTH_TOKEN';
/** Page to worker, or worker to the waiting one: take over now. */
export const SKIP_WAITING = 'SKIP_WAITING';

export const UPDATE_TAG = 'update-notification';
export const UPDATE_NOW = 'update-now';
export const LATER = 'later';
