/** Set by vite.config.ts: the component page is built when SANDBOX_UI=1. */
declare const __SANDBOX_UI__: boolean
/** The year of the build, for the copyright line: the same in the HTML and in the browser. */
declare const __BUILD_YEAR__: number
