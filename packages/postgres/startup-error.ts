/**
 * The error that prevents the start of the program for a reason that a person can fix. The message describes the
 * problem and the remedy in whole sentences, so the program prints the message without a stack trace.
 */
export class StartupError extends Error {
  override readonly name = 'StartRefused'
}
