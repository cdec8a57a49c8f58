import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { ObjectError, type SealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import type { StoredCopy } from './inventory.ts'

/** Returns a manifest; undefined for a manifest that is missing, damaged or encrypted with another key. */
export async function readIfUsable(
  store: SealedStore,
  name: string,
): Promise<BaseManifest | undefined> {
  try {
    return JSON.parse((await store.read(name)).toString()) as BaseManifest
  } catch (error) {
    if (error instanceof ObjectError) return undefined
    throw error
  }
}

/**
 * Returns the time zone of the shop from the newest readable manifest, because a manifest may be damaged or encrypted
 * with another key. Returns UTC when no manifest is readable.
 */
export async function readTimeZone(
  store: SealedStore,
  copies: readonly StoredCopy[],
): Promise<string> {
  const bases = copies.flatMap((copy) => copy.bases).toSorted((a, b) => b.endedMs - a.endedMs)
  for (const { name } of bases) {
    const manifest = await readIfUsable(store, name)
    if (manifest) return manifest.timeZone
  }
  return 'UTC'
}
