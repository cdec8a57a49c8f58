/**
 * The program cannot start, and a person can mend that. The message says in whole sentences what is wrong and what
 * to do, so it is printed without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartRefused'
}
