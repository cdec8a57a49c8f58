import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { StreamedFile } from '#server/platform/backup/objects/file-stream.ts'

/**
 * The folders whose content a base backup omits, because this content is only valid for the running server (PostgreSQL
 * manual, "Making a Base Backup").
 */
const transientFolders =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|(^|\/)pgsql_tmp/

const transientFiles =
  /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init[.\d]*|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles|(standby|recovery)\.signal)$/

/** The folders that PostgreSQL expects even when they are empty. */
export const emptyFolders: readonly string[] = [
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_commit_ts',
  'pg_logical/mappings',
  'pg_logical/snapshots',
]

const controlFile = 'global/pg_control'
const blockBytes = 256 * 1024

/**
 * Yields the files of a running cluster in backup mode. The server may change a file while it is read; during a
 * restore, PostgreSQL repairs the copy with the write-ahead log since the start of the backup. Skips a file that the
 * server deletes. Yields the control file last.
 */
export async function* readClusterFiles(cluster: string): AsyncGenerator<StreamedFile> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(cluster, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !transientFolders.test(path) && !transientFiles.test(path))
    .filter((path) => path !== controlFile)
  for (const path of [...paths.sort(), controlFile]) {
    const file = await openUnlessDeleted(join(cluster, path))
    if (!file) continue
    try {
      const bytes = (await file.stat()).size
      yield { path, bytes, read: () => readExactly(file, bytes) }
    } finally {
      await file.close()
    }
  }
}

async function openUnlessDeleted(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Yields exactly `bytes` bytes of a file; adds zeros if PostgreSQL truncated the file after its size was read. */
async function* readExactly(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < bytes;) {
    const block = Buffer.alloc(Math.min(blockBytes, bytes - position))
    const { bytesRead } = await file.read(block, 0, block.length, position)
    const content = bytesRead > 0 ? block.subarray(0, bytesRead) : block
    position += content.length
    yield content
  }
}
