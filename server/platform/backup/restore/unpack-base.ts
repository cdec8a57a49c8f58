import { mkdir, open, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { emptyFolders } from '#server/platform/backup/base/cluster-files.ts'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { type StreamedFile, unpackFiles } from '#server/platform/backup/objects/file-stream.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import type { SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { StoredBase, StoredCopy } from './inventory.ts'

/**
 * Writes the files of a base backup into the new folder `home`, which becomes the folder `postgresql` of the data
 * directory.
 */
export async function unpackBase(
  store: SealedStore,
  { copy, base }: { copy: StoredCopy; base: StoredBase },
  manifest: BaseManifest,
  home: string,
): Promise<void> {
  const cluster = join(home, 'cluster')
  for (const folder of emptyFolders) {
    await mkdir(join(cluster, folder), { recursive: true, mode: 0o700 })
  }
  const parts = readParts(store, copy.folder, base.base, manifest.parts)
  await unpackFiles(parts, (file) => writeClusterFile(cluster, file))
  await writeFile(join(cluster, 'backup_label'), manifest.label, { mode: 0o600 })
  await writeFile(join(home, 'password'), manifest.password, { mode: 0o600 })
}

async function* readParts(
  store: SealedStore,
  folder: string,
  base: number,
  count: number,
): AsyncGenerator<Buffer> {
  for (let part = 1; part <= count; part += 1) {
    yield await store.read(folder + objectNames.basePart(base, part))
  }
}

async function writeClusterFile(cluster: string, streamed: StreamedFile): Promise<void> {
  const target = resolve(cluster, streamed.path)
  if (!target.startsWith(cluster + sep))
    throw new Error('The base backup contains a file path outside the PostgreSQL data directory.')
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const file = await open(target, 'wx', 0o600)
  try {
    for await (const piece of streamed.read()) await file.write(piece)
  } finally {
    await file.close()
  }
}
