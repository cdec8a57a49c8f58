/**
 * Returns whether PostgreSQL rejected a zero byte, the only character that its text types cannot store. A client sent
 * the zero byte, so the error is the client's. PostgreSQL reports a zero byte with the code 22P05 in JSON, and with
 * 22021 elsewhere.
 */
export function isZeroByte(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22021|22P05)$/.test(String(error.code))
}
