import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Query } from '@local/postgres'

/** '20261128T213000-booking_confirmation-0b5c….eml', also while it is written ('….eml.812.part'). */
const emailFile = /^\w+-\w+-([\da-f-]{36})\.eml/

/**
 * Removes the files of letters that are not in the database any more: of those that `query` has deleted, and of those
 * that went with their appointment. A file is written only after its letter.
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
