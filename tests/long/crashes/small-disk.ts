import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type SmallDisk = {
  readonly path: string
  /** Occupies every free block of the disk, and each block that the shop frees, until `free` is called. */
  fill(): Promise<void>
  /** Releases the occupied blocks of the disk. */
  free(): Promise<void>
  remove(): void
}

/** Mounts a file system in memory; returns undefined when the current user may not mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  if (process.platform !== 'linux') return undefined
  const path = mkdtempSync(join(tmpdir(), 'torque-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(path, { recursive: true })
    return undefined
  }
  const filler = join(path, 'filler')
  let filling: { stopping: AbortController; ended: Promise<void> } | undefined
  return {
    path,
    fill: async () => {
      const stopping = new AbortController()
      const file = openSync(filler, 'a')
      fillUp(file)
      filling = { stopping, ended: keepFull(file, stopping.signal) }
    },
    free: async () => {
      filling?.stopping.abort()
      await filling?.ended
      rmSync(filler)
    },
    remove() {
      execFileSync('umount', ['--lazy', path])
      rmSync(path, { recursive: true })
    },
  }
}

async function keepFull(file: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    fillUp(file)
    await delay(5)
  }
  closeSync(file)
}

function fillUp(file: number): void {
  for (const size of [1_048_576, 4_096]) {
    const block = Buffer.alloc(size)
    for (;;) {
      try {
        if (writeSync(file, block) < size) break
      } catch {
        break
      }
    }
  }
}
