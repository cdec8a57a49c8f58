/** Who calls a server function; `isAdmin` is proven by the access token. */
export type FunctionCaller = {
  readonly role: string
  readonly isAdmin: boolean
  /**
   * What tells the sender of a request from others: the form token and the client's address, under the names
   * that the database reads (supabase/schemas/45_holds.sql).
   */
  readonly sender: Readonly<Record<string, string>>
}
