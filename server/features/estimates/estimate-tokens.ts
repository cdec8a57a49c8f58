import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import type { Query } from '#server/platform/database/query.ts'
import { getSecret } from '#server/platform/database/secrets.ts'
import { createLinkTokens } from '#server/platform/http/link-tokens.ts'

/** Which estimate a token opens now; undefined for every other token. */
export type OpenEstimateToken = (token: string) => Promise<string | undefined>

/** Tokens of the pages of estimates; `internal.estimate_token` makes them. */
export async function createEstimateTokens(database: Database): Promise<OpenEstimateToken> {
  return createLinkTokens({
    key: await getSecret(database, 'visit_key'),
    textOf: (id, version) => `estimate ${id} ${version}`,
    findVersion: (id) => findLinkVersion(database, id),
  })
}

async function findLinkVersion(database: Database, id: string): Promise<number | undefined> {
  const [row] = rowsAs<{ version: number | null }>(
    await database.transaction(asServer, (query) =>
      query('select internal.estimate_link_version($1) as version', [id]),
    ),
  )
  return row?.version ?? undefined
}

/** '/estimate/<token>' as it is now; undefined when there is no such estimate. */
export async function findEstimatePath(query: Query, id: string): Promise<string | undefined> {
  const [row] = rowsAs<{ token: string | null }>(
    await query('select internal.estimate_token($1) as token', [id]),
  )
  return row?.token ? `/estimate/${row.token}` : undefined
}
