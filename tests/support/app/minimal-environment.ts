/**
 * What a process of the shop is given that a test starts: where programs are, and what was compiled before, which
 * `npm` gives as well; nothing else of the tests' own environment.
 */
export const minimalEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
