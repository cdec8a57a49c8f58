import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Query } from '@local/postgres'

/**
 * Matches the name of an email file, such as '20261128T213000-booking_confirmation-0b5c….eml', and the temporary name
 * of a file that is still being written ('….eml.812.part').
 */
const emailFile = /^\w+-\w+-([\da-f-]{36})\.eml/

/**
 * Deletes the files of emails that are not in the database, including emails that the transaction of `query`
 * deletes. An email is always stored in the database before its file is written, so the file of a new email is never
 * deleted.
 */
export async function deleteEmailFiles(query: Query, folder: string): Promise<void> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const emails = files.flatMap((file) => {
    const id = emailFile.exec(file)?.[1]
    return id ? [{ file, id }] : []
  })
  const existing = await query('select id from public.emails where id = any ($1)', [
    emails.map(({ id }) => id),
  ])
  const stillStored = new Set(existing.map(({ id }) => id))
  for (const { file, id } of emails) {
    if (!stillStored.has(id)) await rm(join(folder, file), { force: true })
  }
}
