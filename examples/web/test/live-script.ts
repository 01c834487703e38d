/** The script of what moves by itself, which is loaded once a page is shown. */
export const LIVE_SCRIPT = '**/assets/live-*.js';
