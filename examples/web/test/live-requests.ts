/** The requests of what moves by itself: for its script, and for streams. */
export const LIVE_REQUESTS = ['**/assets/live-*.js', '**/graphql?stream'];
