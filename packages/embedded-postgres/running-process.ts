import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Returns whether a process with the given id is running. The process may belong to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && !isZombie(pid)
  }
  return !isZombie(pid)
}

/**
 * Returns whether the process with the given id is running and its program name contains `program`. The name is
 * compared, because the system can assign an old process id to another program.
 */
export function isRunning(pid: number, program: string): boolean {
  return isAlive(pid) && (readProgram(pid) ?? program).includes(program)
}

/**
 * Returns whether the process is a zombie: the process has ended, but its parent has not read its exit status. Zombies
 * are usual in containers without an init process.
 */
function isZombie(pid: number): boolean {
  return /^State:\s*Z/m.test(readText(`/proc/${pid}/status`) ?? '')
}

/** Returns the name of the program of a process; undefined when the system does not report the name. */
function readProgram(pid: number): string | undefined {
  if (process.platform === 'linux') return readText(`/proc/${pid}/comm`)
  try {
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}

/** Returns the text of a file; undefined when the file cannot be read. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
