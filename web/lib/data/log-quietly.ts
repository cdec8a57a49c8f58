/** Logs a failure to the browser console without showing the visitor a message. Never pass customer data. */
export function logQuietly(what: string, cause: unknown): void {
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  // oxlint-disable-next-line no-console -- only this function may write to the console
  console.warn(`${what} (${reason})`)
}
