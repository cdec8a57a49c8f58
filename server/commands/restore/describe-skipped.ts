import type { SkippedFile } from '#server/platform/backup/files/skipped-file.ts'

const problems = { 'too large': 'larger than 2 GiB', unreadable: 'the site could not read it' }

/** Returns the warning that lists the files whose newest version the backup lacks, one per line. */
export function describeSkipped(skipped: readonly SkippedFile[]): string {
  const lines = skipped.map(({ path, problem }) => `  ${path} (${problems[problem]})`)
  return ['IMPORTANT: the backup lacks the newest version of:', ...lines].join('\n')
}
