import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The paths of all files that are in the repository or would be added to it. */
export function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))
}
