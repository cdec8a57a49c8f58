import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import type { Account } from './account.ts'

// The watchdog is a shell, because a shell needs 1 MB of memory and a second Node process 40 MB. The shell starts the
// program and reads from a pipe; only this process can write to the pipe. When this process ends, even by kill -9,
// the pipe closes and `read` returns. The shell then sends SIGINT to the program, which makes postgres shut down and
// initdb remove its files. The shell ignores signals from the terminal. A program that has just started ignores
// signals too, so the shell repeats SIGINT until the program has ended.
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

/** A program that the watchdog ends when this process ends. */
export type WatchedProcess = {
  /** Resolves to the exit status of the program; 128 plus the number of the signal if a signal ended the program. */
  readonly exited: Promise<number>
  /** Closes the pipe to the watchdog, which then sends SIGINT to the program. Waits until the program has ended. */
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
    // The shell runs in its own process session (setsid), so that Ctrl-C in the terminal reaches only this Node
    // process.
    detached: true,
    ...account.ids,
  })
  // Writing to the pipe fails when the program has already ended. The promise `exited` reports the end of the program.
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
