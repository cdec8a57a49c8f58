import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { clearStaleLock, readPostmaster } from './lock.ts'
import { isRunning } from './running-process.ts'

/** The kernel needs a moment to end a process that is writing to a slow disk. */
const timeoutMs = 10_000

/**
 * Clears away what a server that was killed left on its cluster: connections that go on working hold
 * the memory that a new server needs, for as long as their statement runs. Ending them is what a power
 * cut does to them: what was committed is on disk.
 */
export async function stopOrphans(cluster: string): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let left = findServers(cluster); left.length > 0; left = findServers(cluster)) {
    for (const pid of left) end(pid)
    // Should one not go, PostgreSQL refuses to start beside it and says so.
    if (Date.now() > deadline) return
    await delay(20)
  }
  clearStaleLock(cluster)
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Every process of PostgreSQL works in the folder of its cluster. Elsewhere than on Linux only the first is known. */
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
    // It ended just now, or belongs to somebody else.
    return false
  }
}
