/**
 * The reason why a restore from a target is impossible. The command `npm run restore` describes the reason in
 * sentences.
 */
export class RestoreError extends Error {
  override readonly name = 'RestoreError'
  readonly detail: RestoreRefusal

  constructor(detail: RestoreRefusal) {
    super(detail.reason)
    this.detail = detail
  }
}

export type RestoreRefusal =
  | {
      readonly reason: 'folder in use'
      readonly folder: string
      readonly entries: readonly string[]
    }
  /** The folder for the restored shop cannot be created or read; `code` is the error code of the operating system. */
  | { readonly reason: 'unusable folder'; readonly folder: string; readonly code: string }
  | {
      readonly reason: 'no room'
      readonly neededBytes: number
      readonly freeBytes: number
      readonly folder: string
    }
  /** The disk became full during the restore, although the free space seemed sufficient before. */
  | { readonly reason: 'disk full' }
  | { readonly reason: 'nothing there' }
  | { readonly reason: 'several shops' | 'no such shop'; readonly shops: readonly string[] }
  | { readonly reason: 'no such incarnation'; readonly ids: readonly string[] }
  | { readonly reason: 'invalid time' | 'skipped time' }
  | {
      readonly reason: 'ambiguous time'
      readonly momentsMs: readonly [first: number, second: number]
      readonly timeZone: string
    }
  | { readonly reason: 'future'; readonly nowMs: number; readonly timeZone: string }
  | {
      readonly reason: 'before the first copy'
      readonly firstMs: number
      readonly timeZone: string
    }
  | { readonly reason: 'wrong key'; readonly own: string; readonly made: string }
  | {
      readonly reason: 'unusable object'
      readonly object: string
      readonly problem: 'missing' | 'damaged' | 'wrong-key'
      /** The last moment that can be restored without the unusable object; undefined when no such moment exists. */
      readonly lastGoodMs: number | undefined
      /**
       * The id of the incarnation (backup history) that the owner must name to restore `lastGoodMs`; undefined when
       * the restore needs no id.
       */
      readonly incarnation: string | undefined
      readonly timeZone: string
      /** The period that cannot be restored, if missing write-ahead log segments are the reason. */
      readonly lostMs: readonly [from: number, to: number] | undefined
    }
