import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Result, accepted, refused } from '#domain/result.ts'

const root = join(import.meta.dirname, '..')

/**
 * Returns the folder of a checkout of `commit` with its packages and built pages, or the reason why the checkout
 * failed. The first call takes some minutes and needs the network; later calls reuse the folder, which stays in the
 * temporary folder.
 */
export function provideCommit(commit: string): Result<string, string> {
  const found = run('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], root)
  if (found.status !== 0) return refused(reasonOfMissing(commit))
  const folder = join(tmpdir(), `torque-bench-${found.output.slice(0, 12)}`)
  const stamp = join(folder, 'node_modules', '.built-for-bench')
  if (existsSync(stamp)) return accepted(folder)
  console.log(`Building ${commit} in ${folder} for the comparison. The folder stays there.`)
  rmSync(folder, { recursive: true, force: true })
  const added = run('git', ['worktree', 'add', '--force', '--detach', folder, commit], root)
  if (added.status !== 0) return refused(`git could not check ${commit} out: ${added.output}`)
  const built = run(process.execPath, ['scripts/run.mjs', 'build'], folder)
  if (built.status !== 0) {
    return refused(`${commit} could not be installed and built: ${lastLine(built.output)}`)
  }
  writeFileSync(stamp, '')
  return accepted(folder)
}

function reasonOfMissing(commit: string): string {
  const shallow = run('git', ['rev-parse', '--is-shallow-repository'], root)
  if (shallow.status !== 0) return 'this folder is no clone of the repository'
  return shallow.output === 'true'
    ? `the clone is shallow and does not reach back to ${commit} (git fetch --unshallow)`
    : `the repository has no commit ${commit}`
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, output: error ? error.message : `${stdout}${stderr}`.trim() }
}

function lastLine(text: string): string {
  return text.split('\n').findLast((line) => /error|fail/i.test(line)) ?? text.slice(-200)
}
