import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minimalEnvironment } from '#tests/support/app/minimal-environment.ts'

const root = join(import.meta.dirname, '..')

/** Starts the site as an owner does, with `settings` as its only environment variables. */
function startSite(settings: Record<string, string>) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...minimalEnvironment, LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const exited = once(child, 'exit').then(([status]) => status as number | null)
  const isOpen = new Promise<void>((open, failed) => {
    void exited.then(() => failed(new Error(`it ended:\n${output}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Ctrl-C')) open()
      })
    }
  })
  isOpen.catch(() => undefined)
  return { child, exited, isOpen, output: () => output }
}

async function occupyPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port: String(port), free: () => new Promise((done) => server.close(done)) }
}

describe('the process of the site', () => {
  let dataDirectory: string
  beforeAll(() => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'torque-main-'))
  })
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

  it.each(['SIGTERM', 'SIGINT', 'disconnect'] as const)(
    'serves requests, and shuts down gracefully on %s',
    async (signal) => {
      const { port, free } = await occupyPort()
      await free()
      const site = startSite({ PORT: port, DATA_DIR: dataDirectory })
      await site.isOpen
      const health = await fetch(`http://127.0.0.1:${port}/healthz`)
      expect([health.status, await health.json()]).toEqual([
        200,
        { ok: true, backup: { state: 'off', newestAgeSeconds: null, lastDrill: null } },
      ])
      expect(site.output()).toContain(`http://localhost:${port}/\n`)
      expect(site.output()).toContain('TEST MODE: no money moves')
      if (signal === 'disconnect') site.child.disconnect()
      // One Ctrl-C in a terminal sends several signals to the process, which must count as one signal.
      else for (const _echo of [1, 2]) site.child.kill(signal)
      expect(await site.exited).toBe(0)
    },
  )

  it('lists every invalid setting by name, without its value', async () => {
    const site = startSite({ PORT: 'eighty', SMTP_URL: 'https://user:topsecret@mail.example' })
    expect(await site.exited).toBe(1)
    expect(site.output()).toMatch(/^ {2}PORT: /m)
    expect(site.output()).toMatch(/^ {2}SMTP_URL: /m)
    expect(site.output()).not.toMatch(/topsecret|at .*\.ts:/)
  })

  it('reports a port that is in use, and starts no database', async () => {
    const { port, free } = await occupyPort()
    const site = startSite({ PORT: port, DATA_DIR: join(dataDirectory, 'unused') })
    expect(await site.exited).toBe(1)
    expect(site.output()).toContain(`Port ${port} is already in use`)
    await free()
  })

  it('reports why it cannot use its data directory', async () => {
    const site = startSite({ PORT: '0', DATA_DIR: root })
    expect(await site.exited).toBe(1)
    expect(site.output()).toMatch(/contains other files/)
    expect(site.output()).not.toMatch(/at .*\.ts:/)
  })
})
