/**
 * A file or a folder of the data directory whose newest version is missing in the backup, because the site cannot
 * read it. `path` is relative to the data directory and contains slashes.
 */
export type SkippedFile = { readonly path: string; readonly problem: SkipProblem }

/**
 * `too large`: the file has more than 2 GiB, which the site cannot read at once. `unreadable`: the site has no
 * permission, or the disk is defective.
 */
export type SkipProblem = 'too large' | 'unreadable'

/**
 * Converts a read error to the reason why the file was skipped; undefined for a file that was deleted in the meantime.
 */
export function skipProblemOf(error: unknown): SkipProblem | undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return undefined
  return code === 'ERR_FS_FILE_TOO_LARGE' ? 'too large' : 'unreadable'
}

/** Lists skipped files in the order of their paths. */
export const listSkipped = (
  problems: Readonly<Record<string, SkipProblem>>,
): readonly SkippedFile[] =>
  Object.entries(problems)
    .map(([path, problem]) => ({ path, problem }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
