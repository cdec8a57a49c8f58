import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Launch, launch, type Launched } from './launch.ts'
import { stopOrphans } from './orphans.ts'
import { readPostmaster } from './lock.ts'
import type { WatchedProcess } from './watchdog.ts'

/** The server is given up after this many crashes within `crashWindowMs`. */
const maxCrashes = 5
const crashWindowMs = 60_000

/** Pause between a failed start and the next attempt. */
const pauseMs = 1_000

/** A server that is restarted on its old port when it ends without `stop`. */
export class SupervisedServer {
  private readonly launch: Launch
  private readonly port: number
  private readonly timeoutMs: number
  private readonly isCrashLimitReached = createCrashCounter()
  private readonly givenUp = Promise.withResolvers<string>()
  private readonly watching: Promise<void>
  private current: WatchedProcess | undefined
  private why: NodeJS.ErrnoException | undefined

  /** `timeoutMs` is how long a shutdown may take before the server gets SIGINT. */
  constructor(first: Launched, options: Launch, timeoutMs: number) {
    this.launch = options
    this.port = first.port
    this.timeoutMs = timeoutMs
    this.current = first.watched
    this.watching = this.watch()
  }

  /** The error that a connection would get now (ECONNREFUSED, ENOSPC); undefined while the server runs. */
  whyDown(): NodeJS.ErrnoException | undefined {
    return this.why
  }

  /** Resolves with the reason, in sentences for a person, when the server is given up. */
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
      this.why = failure('ECONNREFUSED', 'The database server is being started again.')
      if (this.isCrashLimitReached())
        return this.givenUp.resolve(crashLoopMessage(this.launch.directory))
      logLine(`The database server ended (${describe(status)}). It is started again.`)
      const since = performance.now()
      this.current = await this.restart()
      if (this.isStopping) await this.endCurrent()
      if (!this.current) return
      this.why = undefined
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      logLine(`The database server is back after ${seconds} s.`)
    }
  }

  /** Resolves to undefined when `stop` is called or the server is given up. */
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

  /** A full disk does not count as a crash: the program runs on, and the start is tried until there is space. */
  private reportFullDisk(): void {
    if (this.why?.code === 'ENOSPC') return
    this.why = failure('ENOSPC', 'The disk of the database is full.')
    logLine(diskFullMessage(this.launch.directory))
  }

  private get isStopping(): boolean {
    return this.launch.stopping.signal.aborted
  }

  /** Stops the server through its watchdog; when that does not respond, sends SIGINT to the server. */
  private async endCurrent(): Promise<void> {
    if (!this.current) return
    const ended = this.current.stop().then(() => true)
    if (await Promise.race([ended, delay(this.timeoutMs, false, { ref: false })])) return
    const postmaster = readPostmaster(this.launch.cluster.path)
    if (postmaster) process.kill(postmaster.pid, 'SIGINT')
    await ended
  }
}

/** Written to standard error, because the program's log opens after the server has started. */
function logLine(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** Returns a function that counts a crash and tells whether the limit is reached. */
function createCrashCounter(): () => boolean {
  const crashes: number[] = []
  return () => {
    crashes.push(performance.now())
    const [earliest] = crashes.slice(-maxCrashes)
    return crashes.length >= maxCrashes && performance.now() - (earliest ?? 0) < crashWindowMs
  }
}

const diskFullPattern = /No space left|Read-only file system|quota exceeded|ENOSPC|EROFS|EDQUOT/i

/** Whether a start failed because the disk is full. PostgreSQL cannot log the reason then, so a test file is written. */
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

/** A shell's exit status above 128 is 128 plus the number of the signal. */
function describe(status: number): string {
  return status > 128 ? `killed by signal ${status - 128}` : `status ${status}`
}

function diskFullMessage(directory: string): string {
  return `The database server cannot start: the disk that holds ${directory} is full or read-only. Free some space on it; the start is tried again every second until it succeeds.`
}

function crashLoopMessage(directory: string): string {
  return `The database server ended ${maxCrashes} times within a minute; this program stops. The server's log is ${join(directory, 'postgresql.log')}. The usual causes are too little memory (the system's log then has "oom-kill") and a failing disk.`
}
