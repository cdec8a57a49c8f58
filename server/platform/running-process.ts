import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether a process with this id exists; it may belong to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whether that process lives and its program's name contains `program`. Ids are reused, so an id in
 * an old file alone proves nothing.
 */
export function isRunning(pid: number, program: string): boolean {
  return isAlive(pid) && (readProgram(pid) ?? program).includes(program)
}

function readProgram(pid: number): string | undefined {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/comm`, 'utf8')
      : execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    // Gone meanwhile, or a system without either: believe the id.
    return isAlive(pid) ? undefined : ''
  }
}
