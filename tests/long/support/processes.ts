import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Lists the ids of the processes that use a data directory: PostgreSQL, its watchdog, the site. */
export function processesOn(directory: string): number[] {
  const own = (pid: number) => pid !== process.pid
  return (process.platform === 'linux' ? fromProc(directory) : fromPs(directory)).filter(own)
}

function fromProc(directory: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    try {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return (
        commandLine.includes(directory) || readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      )
    } catch {
      // Skips a process that ended before its data was read, or that belongs to another user.
      return false
    }
  })
}

function fromPs(directory: string): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(directory)).map((line) => Number.parseInt(line, 10))
}
