import type { FastifyRequest } from 'fastify'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { addressGroup } from '#server/platform/http/limits/client-address.ts'

type Export = {
  readonly kind: 'customer_exported' | 'files_exported'
  readonly username: string
  readonly customerId?: string
  /** The name of the exported file and its date range. */
  readonly detail?: string
}

/** Adds an audit entry for an export of customer data or accountant files (docs/product.md 6.12). */
export async function recordExport(database: Database, made: Export): Promise<void> {
  const { kind, username, customerId = '', detail = '' } = made
  await database.transaction(asServer, (query) =>
    query("select internal.record_export($1, $2, nullif($3, '')::uuid, nullif($4, ''))", [
      kind,
      username,
      customerId,
      detail,
    ]),
  )
}

/**
 * Adds an audit entry for a change that staff make to their own account, in the transaction of that change
 * (docs/product.md 6.12).
 */
export async function recordOwnChange(
  query: Query,
  kind: 'password_changed' | 'session_ended',
  { userId, detail = '' }: { readonly userId: string; readonly detail?: string },
): Promise<void> {
  await query("select internal.record_own_change($1, $2, nullif($3, ''))", [kind, userId, detail])
}

export type RefusedRequest = {
  readonly kind: 'wrong_password' | 'wrong_pin' | 'wrong_code' | 'sign_in_blocked' | 'not_allowed'
  /** The signed-in staff account whose request was refused. */
  readonly userId?: string
  /**
   * The username that somebody entered in a failed sign-in. The audit log stores only the id of the account with
   * this username, never the entered text.
   */
  readonly triedUsername?: string
  /** The URL path of the refused request. */
  readonly detail?: string
}

/**
 * Adds an audit entry for a refused request or sign-in, at most once in 15 minutes per account (docs/product.md 6.12).
 */
export async function recordRefusal(
  database: Database,
  request: FastifyRequest,
  { kind, userId = '', triedUsername = '', detail = '' }: RefusedRequest,
): Promise<void> {
  const network = addressGroup(request.ip)
  const address = network === 'no address' ? '' : network
  await database.transaction(asServer, (query) =>
    query(
      `select internal.record_refusal(
         $1, nullif($2, '')::uuid, nullif($3, ''), nullif($4, ''), nullif($5, '')::inet)`,
      [kind, userId, triedUsername, detail, address],
    ),
  )
}
