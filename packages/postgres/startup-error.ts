/**
 * The program cannot start for a reason that a person can fix. The message states in whole sentences what is wrong
 * and what to do, so the program prints it without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartRefused'
}
