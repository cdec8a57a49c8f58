import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Lists the paths of all files that git tracks, and of new files that git does not ignore. */
export function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))
}
