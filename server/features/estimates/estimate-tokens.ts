import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import {
  createLinkTokens,
  linkNow,
  type LinkNow,
  type LinkRow,
} from '#server/platform/http/link-tokens.ts'

/**
 * Returns the id of the estimate to which a token belongs. Returns undefined for an invalid token, and for the token
 * of a link that a newer link replaced.
 */
export type OpenEstimateToken = (token: string) => Promise<string | undefined>

/** Verifies the tokens of estimate pages. The database function `internal.estimate_token` creates these tokens. */
export function createEstimateTokens(database: Database): OpenEstimateToken {
  return createLinkTokens({
    textOf: (id, version) => `estimate ${id} ${version}`,
    findLink: (id) => findLink(database, id),
  })
}

async function findLink(database: Database, id: string): Promise<LinkNow> {
  const [row] = rowsAs<LinkRow>(
    await database.transaction(asServer, (query) =>
      query(
        `select (select value from internal.secrets where name = 'visit_key') as key,
           internal.estimate_link_version($1) as version`,
        [id],
      ),
    ),
  )
  return linkNow(row)
}

/**
 * Returns the current path '/estimate/<token>' of the page of an estimate; undefined when the estimate does not
 * exist.
 */
export async function findEstimatePath(query: Query, id: string): Promise<string | undefined> {
  const [row] = rowsAs<{ token: string | null }>(
    await query('select internal.estimate_token($1) as token', [id]),
  )
  return row?.token ? `/estimate/${row.token}` : undefined
}
