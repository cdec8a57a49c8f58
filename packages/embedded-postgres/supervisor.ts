import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Launch, launch, type Launched } from './launch.ts'
import { stopOrphans } from './orphans.ts'
import { readPostmaster } from './lock.ts'
import type { WatchedProcess } from './watchdog.ts'

/** The number of crashes within `crashWindowMs` after which the supervisor no longer restarts the server. */
const maxCrashes = 5
const crashWindowMs = 60_000

/** The pause in milliseconds between a failed start and the next attempt. */
const pauseMs = 1_000

/** Restarts a server on the same port when the server ends without a call of `stop`. */
export class SupervisedServer {
  private readonly launch: Launch
  private readonly port: number
  private readonly timeoutMs: number
  private readonly isCrashLimitReached = createCrashCounter()
  private readonly givenUp = Promise.withResolvers<string>()
  private readonly watching: Promise<void>
  private current: WatchedProcess | undefined
  private why: NodeJS.ErrnoException | undefined

  /** `timeoutMs` is the maximum time for a shutdown, after which the server gets SIGINT. */
  constructor(first: Launched, options: Launch, timeoutMs: number) {
    this.launch = options
    this.port = first.port
    this.timeoutMs = timeoutMs
    this.current = first.watched
    this.watching = this.watch()
  }

  /** The error (ECONNREFUSED or ENOSPC) with which connection attempts fail now; undefined while the server runs. */
  whyDown(): NodeJS.ErrnoException | undefined {
    return this.why
  }

  /**
   * Resolves when the supervisor no longer restarts the server. The value is the reason, in whole sentences for the
   * person who runs the program.
   */
  get lost(): Promise<string> {
    return this.givenUp.promise
  }

  async stop(): Promise<void> {
    this.launch.stopping.abort()
    await this.endCurrent()
    await this.watching
  }

  private async watch(): Promise<void> {
    while (this.current) {
      const status = await this.current.exited
      this.current = undefined
      if (this.isStopping) return
      this.why = failure('ECONNREFUSED', 'The database server is restarting.')
      if (this.isCrashLimitReached())
        return this.givenUp.resolve(crashLoopMessage(this.launch.directory))
      logLine(`The database server ended (${describe(status)}). It is restarting.`)
      const since = performance.now()
      this.current = await this.restart()
      if (this.isStopping) await this.endCurrent()
      if (!this.current) return
      this.why = undefined
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      logLine(`The database server is running again after ${seconds} s.`)
    }
  }

  /**
   * Restarts the server and resolves to its process. Resolves to undefined when `stop` is called or when the supervisor
   * stops restarting.
   */
  private async restart(): Promise<WatchedProcess | undefined> {
    while (!this.isStopping) {
      try {
        await stopOrphans(this.launch.cluster.path)
        return (await launch(this.launch, this.port)).watched
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        if (lacksDiskSpace(message, this.launch.directory)) this.reportFullDisk()
        else if (!this.isStopping && this.isCrashLimitReached()) {
          this.givenUp.resolve(message)
          return undefined
        }
        const { signal } = this.launch.stopping
        await delay(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  /**
   * A full disk does not count as a crash: this process continues to run and repeats the start until the disk has
   * space.
   */
  private reportFullDisk(): void {
    if (this.why?.code === 'ENOSPC') return
    this.why = failure('ENOSPC', 'The disk of the database is full.')
    logLine(diskFullMessage(this.launch.directory))
  }

  private get isStopping(): boolean {
    return this.launch.stopping.signal.aborted
  }

  /**
   * Stops the server through its watchdog, the shell that started the server. When the watchdog does not respond, sends
   * SIGINT to the server.
   */
  private async endCurrent(): Promise<void> {
    if (!this.current) return
    const ended = this.current.stop().then(() => true)
    if (await Promise.race([ended, delay(this.timeoutMs, false, { ref: false })])) return
    const postmaster = readPostmaster(this.launch.cluster.path)
    if (postmaster) process.kill(postmaster.pid, 'SIGINT')
    await ended
  }
}

/** Writes a line to standard error, because the log of the program opens only after the server has started. */
function logLine(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** Returns a function that counts a crash and returns whether `maxCrashes` crashes occurred within `crashWindowMs`. */
function createCrashCounter(): () => boolean {
  const crashes: number[] = []
  return () => {
    crashes.push(performance.now())
    const [earliest] = crashes.slice(-maxCrashes)
    return crashes.length >= maxCrashes && performance.now() - (earliest ?? 0) < crashWindowMs
  }
}

const diskFullPattern = /No space left|Read-only file system|quota exceeded|ENOSPC|EROFS|EDQUOT/i

/**
 * Returns whether a start failed because the disk is full. PostgreSQL cannot log this reason on a full disk, so this
 * function attempts to write a test file.
 */
function lacksDiskSpace(message: string, directory: string): boolean {
  if (diskFullPattern.test(message)) return true
  const sample = join(directory, '.space-test')
  try {
    writeFileSync(sample, Buffer.alloc(65_536))
    return false
  } catch (error) {
    return diskFullPattern.test(String(error))
  } finally {
    rmSync(sample, { force: true })
  }
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}

/**
 * Describes an exit status. A shell reports a status above 128 for a program that a signal ended: 128 plus the number
 * of the signal.
 */
function describe(status: number): string {
  return status > 128 ? `killed by signal ${status - 128}` : `status ${status}`
}

function diskFullMessage(directory: string): string {
  return `The database server cannot start: the disk that holds ${directory} is full or read-only. Free some space on it; the start is tried again every second until it succeeds.`
}

function crashLoopMessage(directory: string): string {
  return `The database server ended ${maxCrashes} times within a minute; this program stops. The server's log is ${join(directory, 'postgresql.log')}. The usual causes are too little memory (the system's log then has "oom-kill") and a failing disk.`
}
