export type StoredObject = { readonly name: string; readonly bytes: number }

/**
 * The place outside this machine that stores the backup: a folder or a bucket. The names of its objects contain
 * slashes.
 */
export type Target = {
  /** The URL of the target for messages, without passwords. */
  readonly address: string
  /**
   * Identifies the disk that contains the target's folder, so that an empty mount point is not mistaken for an emptied
   * target. For a bucket, the value is always the same.
   */
  disk(): Promise<string>
  /** Stores the object completely or not at all; replaces an object with the same name. */
  put(name: string, content: Buffer): Promise<void>
  /** Stores the object and returns true. If an object with this name exists, returns false without storing. */
  create(name: string, content: Buffer): Promise<boolean>
  /** Reads an object; returns undefined when the target has no such object. */
  get(name: string): Promise<Buffer | undefined>
  /** Lists the objects whose names begin with `prefix`, which must end with a slash, in the order of their names. */
  list(prefix: string): Promise<readonly StoredObject[]>
  /**
   * Lists the names of the folders directly below `prefix`, which is empty or ends with a slash. The listed names
   * contain neither the prefix nor a slash.
   */
  folders(prefix: string): Promise<readonly string[]>
  /** Deletes an object; succeeds when the target has no such object. */
  remove(name: string): Promise<void>
}

/**
 * `full`: the target has no free space. `refused`: no permission, or a wrong key of the bucket. `unreachable`: no
 * usable response. `emptied`: the marker file is missing.
 */
export type TargetProblem = 'full' | 'refused' | 'unreachable' | 'emptied'

/** Thrown when a request to the target failed. The message contains no key and no name of a file of the shop. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly problem: TargetProblem

  constructor(problem: TargetProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
