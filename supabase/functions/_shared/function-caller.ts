/** The caller of a server function; the access token proves `isAdmin`. */
export type FunctionCaller = {
  readonly role: string
  readonly isAdmin: boolean
  /**
   * Identifies the sender of a request: the form token and the client's address, under the header names that the
   * database reads (supabase/schemas/45_holds.sql).
   */
  readonly sender: Readonly<Record<string, string>>
}
