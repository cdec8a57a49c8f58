import { Client } from 'pg'

/**
 * Runs `work` on a connection of the role that owns the database. PostgreSQL lists the connection under the given
 * application name.
 */
export async function withOwner<Result>(
  ownerUrl: string,
  application: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl, application_name: application })
  // A lost connection makes the running query reject, so the error event needs no further handling.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
