import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import type { Account } from './account.ts'

// A shell uses 1 MB of memory, a second Node 40 MB. The shell starts the program and has the reading end of a pipe
// whose writing end only this process has. When this process ends, even by kill -9, the pipe closes, `read` returns and
// the program gets SIGINT: a fast shutdown for postgres, a clean-up for initdb. The shell ignores terminal signals. A
// program that has just started still ignores signals, too, so the signal is repeated until the program has ended.
const script = `
trap '' HUP INT TERM
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
{ read -r _ <&3; while kill -INT "$program"; do sleep 0.5; done; } 2>/dev/null &
reader=$!
exec 3<&-
wait "$program"
status=$?
kill -9 "$reader" 2>/dev/null
exit "$status"
`

/** A program that ends when this process ends. */
export type WatchedProcess = {
  /** Resolves to the exit status; 128 plus the signal's number if a signal ended the program. */
  readonly exited: Promise<number>
  /** Sends SIGINT by closing the pipe, and waits until the program has ended. */
  stop(): Promise<number>
}

/** Starts `command` as `account`. `output` is the file descriptor that receives standard output and error. */
export function spawnWatched(
  account: Account,
  command: readonly string[],
  output: number,
  environment: NodeJS.ProcessEnv,
): WatchedProcess {
  const [program, ...args] = [...account.prefix, '/bin/sh', '-c', script, 'watchdog', ...command]
  const stdio: StdioOptions = ['pipe', output, output]
  const child = spawn(program as string, args, {
    stdio,
    env: environment,
    cwd: '/',
    // In a session of its own, so that Ctrl-C in the terminal reaches only this process.
    detached: true,
    ...account.ids,
  })
  // The pipe breaks when the program ends first; `exited` reports that end.
  child.stdin?.on('error', () => undefined)
  const exited = whenExited(child)
  return {
    exited,
    stop() {
      child.stdin?.destroy()
      return exited
    },
  }
}

function whenExited(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 137))
  })
}
