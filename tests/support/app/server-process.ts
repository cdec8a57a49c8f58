import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minimalEnvironment } from './minimal-environment.ts'

/** The shop in a process of its own, as an owner runs the shop. */
export type ServerProcess = {
  readonly url: string
  readonly pid: number
  readonly dataDirectory: string
  /** The text that the process has printed so far. */
  output(): string
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<unknown>
  /** Ends the process. The signal `SIGKILL` simulates a power failure. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts `server/main.ts` on a free port and waits until visitors can book. `entry` replaces `server/main.ts`, for a
 * test that runs code before the server starts. `checkout` is the source directory, for a comparison with an earlier
 * commit.
 */
export async function startServer(
  environment: Record<string, string>,
  entry = 'server/main.ts',
  checkout = join(import.meta.dirname, '../../..'),
): Promise<ServerProcess> {
  const dataDirectory = environment['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'torque-shop-'))
  const port = environment['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, [entry], {
    cwd: checkout,
    env: {
      ...minimalEnvironment,
      NODE_ENV: 'test',
      DATA_DIR: dataDirectory,
      PORT: port,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const url = `http://localhost:${port}`
  try {
    await becomesHealthy(url, child)
  } catch {
    throw new Error(`The shop did not start:\n${output}`)
  }
  return {
    url,
    pid: child.pid ?? 0,
    dataDirectory,
    output: () => output,
    ended,
    async end(signal = 'SIGTERM') {
      await endProcess(child, signal)
      if (environment['DATA_DIR'] === undefined) {
        rmSync(dataDirectory, { recursive: true, force: true })
      }
    },
  }
}

async function becomesHealthy(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`${url}/healthz`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('not healthy')
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Returns a loopback port that no process listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
