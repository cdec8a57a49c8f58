/**
 * The error that prevents the start of the program for a reason that a person can fix. The message describes the
 * problem and the remedy in whole sentences, so the program prints it without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartRefused'
}
