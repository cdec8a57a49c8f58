/**
 * Whether PostgreSQL rejected a zero byte, the one character that its text types cannot store. The client sent it, so
 * the error is the client's. PostgreSQL reports a zero byte in JSON as 22P05, elsewhere as 22021.
 */
export function isZeroByte(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22021|22P05)$/.test(String(error.code))
}
