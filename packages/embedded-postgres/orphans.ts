import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { clearStaleLock, readPostmaster } from './lock.ts'
import { isRunning } from './running-process.ts'

/** The kernel needs time to end a process that is writing to a slow disk. */
const timeoutMs = 10_000

/**
 * Kills the processes that a killed server left on its cluster: their connections keep the shared memory that a new
 * server needs until their statements end. Committed transactions are on disk, as after a power cut.
 */
export async function stopOrphans(cluster: string): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let left = findServers(cluster); left.length > 0; left = findServers(cluster)) {
    for (const pid of left) end(pid)
    // PostgreSQL refuses to start beside a process that is still alive, and its message says so.
    if (Date.now() > deadline) return
    await delay(20)
  }
  clearStaleLock(cluster)
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** The PostgreSQL processes whose working folder is the cluster. On systems without /proc only the first process. */
function findServers(cluster: string): number[] {
  if (process.platform !== 'linux') {
    const first = readPostmaster(cluster)?.pid
    return first !== undefined && isRunning(first, 'postgres') ? [first] : []
  }
  const folder = realpathSync(cluster)
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => worksIn(pid, folder) && isRunning(pid, 'postgres'))
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    // The process has just ended, or it belongs to another user.
    return false
  }
}
