import type { Target } from '#server/platform/backup/target/target.ts'
import type { BackupKey } from './backup-key.ts'
import { openObject, sealObject, type SealRefusal } from './seal-object.ts'

/** Reads and writes the encrypted objects at a target. Each name is the full name of an object, with its folders. */
export type SealedStore = {
  /** Stores the encrypted object and returns its stored size in bytes. */
  write(name: string, content: Buffer): Promise<number>
  /** Throws `ObjectError` when the object is missing, damaged or encrypted with another key. */
  read(name: string): Promise<Buffer>
}

/** Thrown when an object of the backup is missing, damaged or encrypted with another key. */
export class ObjectError extends Error {
  override readonly name = 'ObjectError'
  readonly object: string
  readonly refusal: SealRefusal | { readonly reason: 'missing' }

  constructor(object: string, refusal: ObjectError['refusal']) {
    super(`The backup object ${object} is ${refusal.reason}.`)
    this.object = object
    this.refusal = refusal
  }
}

export function openSealedStore(target: Target, key: BackupKey): SealedStore {
  return {
    async write(name, content) {
      const sealed = await sealObject(key, name, content)
      await target.put(name, sealed)
      return sealed.length
    },
    async read(name) {
      const sealed = await target.get(name)
      if (sealed === undefined) throw new ObjectError(name, { reason: 'missing' })
      const opened = await openObject(key, name, sealed)
      if (!opened.ok) throw new ObjectError(name, opened.refusal)
      return opened.value
    },
  }
}
