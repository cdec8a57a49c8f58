export type StoredObject = { readonly name: string; readonly bytes: number }

/** The place outside this machine that receives the backup: a folder or a bucket. Objects have names with slashes. */
export type Target = {
  /** The address as messages show it, without passwords. */
  readonly address: string
  /**
   * Identifies the disk of a folder, so that an emptied disk differs from the mount point of an unmounted one. Always the
   * same for a bucket.
   */
  disk(): Promise<string>
  /** Stores the object completely or not at all; replaces an object of the same name. */
  put(name: string, content: Buffer): Promise<void>
  /** Stores the object and returns true; returns false without storing it when an object of this name exists. */
  create(name: string, content: Buffer): Promise<boolean>
  /** Reads an object; returns undefined when the target has no such object. */
  get(name: string): Promise<Buffer | undefined>
  /** Lists the objects whose names begin with `prefix`, which ends with a slash, in the order of their names. */
  list(prefix: string): Promise<readonly StoredObject[]>
  /**
   * Lists the names of the folders directly below `prefix`, which is empty or ends with a slash. The names contain
   * neither the prefix nor a slash.
   */
  folders(prefix: string): Promise<readonly string[]>
  /** Deletes an object; succeeds when the target has no such object. */
  remove(name: string): Promise<void>
}

/**
 * `full`: no space; `refused`: no permission, or a wrong key of the bucket; `unreachable`: no usable response;
 * `emptied`: the marker file is missing.
 */
export type TargetProblem = 'full' | 'refused' | 'unreachable' | 'emptied'

/** A request to the target failed. The message contains no key and no name of a file of the shop. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly problem: TargetProblem

  constructor(problem: TargetProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
