import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The paths of all files that are tracked by git, or untracked and not ignored. */
export function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))
}
