import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether a process with this id is at work; it may belong to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && !isZombie(pid)
  }
  return !isZombie(pid)
}

/**
 * Whether that process lives and its program's name contains `program`. Ids are reused, so an id in
 * an old file alone proves nothing.
 */
export function isRunning(pid: number, program: string): boolean {
  return isAlive(pid) && (readProgram(pid) ?? program).includes(program)
}

/** It has ended but nobody has asked how: usual where process 1 is no real init, as in containers. */
function isZombie(pid: number): boolean {
  return /^State:\s*Z/m.test(readText(`/proc/${pid}/status`) ?? '')
}

/** Undefined on a system that does not tell: then the id has to be believed. */
function readProgram(pid: number): string | undefined {
  if (process.platform === 'linux') return readText(`/proc/${pid}/comm`)
  try {
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
