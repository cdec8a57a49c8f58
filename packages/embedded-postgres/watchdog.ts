import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import type { Account } from './account.ts'

// A shell rather than a second Node, because it costs 1 MB and not 40. It starts the program and holds
// the reading end of a pipe whose writing end only this process has. However this process ends, by
// kill -9 too, the pipe closes, `read` returns and the program gets SIGINT: a fast shutdown for
// postgres, a clean-up for initdb. Terminal signals are ignored; only the pipe decides. A program that has
// only just begun inherits that and misses the signal, so it is sent until the program has ended.
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

/** A program that does not outlive this process. */
export type WatchedProcess = {
  /** The exit status once it has ended; 128 + the signal's number if one ended it. */
  readonly exited: Promise<number>
  /** Closes the pipe: SIGINT to the program, then waits for its end. */
  stop(): Promise<number>
}

/**
 * Starts `command` as `account`, tied to the life of this process. `output` is the file descriptor
 * that receives what the program prints.
 */
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
    // Its own session, so that Ctrl-C in the terminal reaches this process alone.
    detached: true,
    ...account.ids,
  })
  // The pipe breaks when the program ends first; that is what `exited` reports.
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
