/**
 * The environment of a shop process that a test starts: the path of programs and the compile cache, which `npm` sets as
 * well. The process gets no other variable of the tests.
 */
export const minimalEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
