import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning, readText } from './running-process.ts'
import { StartupError } from '@local/postgres'

/** The content of a PostgreSQL server's lock file (PostgreSQL manual, "Database File Layout", postmaster.pid). */
export type Postmaster = { readonly pid: number; readonly port: number; readonly status: string }

export function readPostmaster(cluster: string): Postmaster | undefined {
  const lines = readText(join(cluster, 'postmaster.pid'))?.split('\n')
  if (!lines?.[0]) return undefined
  return {
    pid: Math.abs(Number(lines[0])),
    port: Number(lines[3] ?? 0),
    status: (lines[7] ?? '').trim(),
  }
}

const ownerFile = (directory: string) => join(directory, 'running.json')

type Owner = { readonly pid: number; readonly since: string }

/**
 * Records that this process uses the data directory. The error message of a second start names the recorded process.
 */
export function takeOwnership(directory: string): void {
  const owner: Owner = { pid: process.pid, since: new Date().toISOString() }
  writeFileSync(ownerFile(directory), JSON.stringify(owner), { mode: 0o600 })
}

export function releaseOwner(directory: string): void {
  rmSync(ownerFile(directory), { force: true })
}

/**
 * The time in milliseconds within which a process restarts its crashed server. A second process waits this long before
 * it uses the data directory.
 */
const revivalMs = 5_000

/**
 * Resolves when no server runs on the cluster. When the process that started the server has ended, this function
 * waits until the server has shut down, and sends SIGINT after `timeoutMs`. Throws `StartupError` when the process
 * that started the server is still running.
 */
export async function awaitRelease(
  directory: string,
  cluster: string,
  timeoutMs: number,
): Promise<void> {
  if (await isFreeWithin(directory, cluster, timeoutMs)) return clearStaleLock(cluster)
  const postmaster = readPostmaster(cluster)
  // The server still runs, so its watchdog (parent shell) was killed. SIGINT starts a fast shutdown.
  if (postmaster) process.kill(postmaster.pid, 'SIGINT')
  if (await isFreeWithin(directory, cluster, timeoutMs)) return clearStaleLock(cluster)
  throw new StartupError(
    `A database server without a supervisor (process ${postmaster?.pid}) still uses the data directory ${directory} and did not end. End this process, then start again.`,
  )
}

async function isFreeWithin(directory: string, cluster: string, limitMs: number): Promise<boolean> {
  const start = Date.now()
  for (;;) {
    const postmaster = readPostmaster(cluster)
    if (postmaster && isServer(postmaster.pid)) {
      refuseWhileOwned(directory)
      if (Date.now() > start + limitMs) return false
    } else if (!findOwner(directory) || Date.now() > start + revivalMs) return true
    await delay(50)
  }
}

const isServer = (pid: number) => pid !== process.pid && isRunning(pid, 'postgres')

/**
 * Returns the other process that uses the data directory; undefined when the recorded process id does not belong to a
 * Node process.
 */
export function findOwner(directory: string): Owner | undefined {
  const owner = readOwner(directory)
  const isOther = owner && owner.pid !== process.pid && isRunning(owner.pid, 'node')
  return isOther ? owner : undefined
}

function refuseWhileOwned(directory: string): void {
  const owner = findOwner(directory)
  if (!owner) return
  throw new StartupError(
    `Another process uses the data directory ${directory}: process ${owner.pid}, since ${owner.since}. Stop it first, or choose another data directory.`,
  )
}

function readOwner(directory: string): Owner | undefined {
  const text = readText(ownerFile(directory))
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Owner)
  } catch {
    return undefined
  }
}

/**
 * Removes a lock file whose process id now belongs to another program, because PostgreSQL would mistake this program
 * for a server.
 */
export function clearStaleLock(cluster: string): void {
  const postmaster = readPostmaster(cluster)
  if (postmaster && !isServer(postmaster.pid))
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
}
