/**
 * The site cannot start, and the owner can do something about it. The message is whole sentences
 * that say what is wrong and what to do; `main.ts` prints it without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartRefused'
}
