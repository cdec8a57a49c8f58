/** The client that called a server function; the client's access token determines `isAdmin`. */
export type FunctionCaller = {
  readonly role: string
  readonly isAdmin: boolean
  /**
   * The request headers that identify the sender: the form token and the client's IP address, under the names that the
   * database reads (supabase/schemas/45_holds.sql).
   */
  readonly sender: Readonly<Record<string, string>>
}
