/**
 * The environment variables of a shop process that a test starts: the search path for programs and the directory of the
 * compile cache, which `npm` also sets. The process gets no other variable of the test process.
 */
export const minimalEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
