import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { clearStaleLock, readPostmaster } from './lock.ts'
import { isRunning } from './running-process.ts'

/**
 * The maximum time in milliseconds that this process waits for a killed process to end. The kernel needs time to end
 * a process that is writing to a slow disk.
 */
const timeoutMs = 10_000

/**
 * Kills the remaining PostgreSQL processes of a server whose main process (postmaster) was killed. Until their
 * statements end, these processes occupy the shared memory that a new server needs. Committed transactions are on disk,
 * so killing the processes has the effect of a power cut.
 */
export async function stopOrphans(cluster: string): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let left = findServers(cluster); left.length > 0; left = findServers(cluster)) {
    for (const pid of left) end(pid)
    // After `timeoutMs`, the server is started nevertheless. PostgreSQL then refuses to start if another process still
    // uses the cluster, and the error message of PostgreSQL names this reason.
    if (Date.now() > deadline) return
    await delay(20)
  }
  clearStaleLock(cluster)
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // `kill` fails when the process has already ended.
  }
}

/**
 * Lists the PostgreSQL processes whose working folder is the cluster. On a system without /proc, lists only the main
 * process (postmaster).
 */
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
    // This process cannot read the working folder of a process that has just ended or belongs to another user.
    return false
  }
}
