import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { accountsOfRoot } from './account.ts'
import { findBinaries } from './binaries.ts'
import { readPostmaster } from './lock.ts'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { isAlive } from './running-process.ts'
import { prepareSocketFolder } from './socket.ts'
import { StartupError } from '@local/postgres'

const isRoot = process.getuid?.() === 0
const nobodyUid = 65_534
const folders: string[] = []
const holders: ChildProcess[] = []

afterEach(async () => {
  for (const holder of holders.splice(0)) await kill(holder)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'torque-embedded-'))
  folders.push(folder)
  return folder
}

const makeDataDirectory = (parent?: string) => join(makeFolder(parent), 'data')
const clusterIn = (dataDirectory: string) => join(dataDirectory, 'postgresql', 'cluster')

async function runQuery<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Starts a server, runs one statement and stops the server. */
async function runStatement(options: EmbeddedOptions, sql: string): Promise<unknown[]> {
  const server = await startEmbeddedPostgres({ durable: false, ...options })
  try {
    return await runQuery(server.ownerUrl, sql)
  } finally {
    await server.stop()
  }
}

/**
 * Starts another process that runs the database. Resolves when the database server accepts connections or has refused
 * to start.
 */
async function hold(dataDirectory: string, ids: { uid?: number; gid?: number } = {}) {
  const script = join(import.meta.dirname, './hold-embedded-postgres.ts')
  const child = spawn(process.execPath, [script, dataDirectory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
    ...ids,
  })
  holders.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const started = JSON.parse(line) as { ownerUrl?: string; refusal?: string }
  return { child, ...started, ownerUrl: started.ownerUrl ?? '' }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const serverPid = (dataDirectory: string) => readPostmaster(clusterIn(dataDirectory))?.pid ?? 0

describe('the embedded PostgreSQL', () => {
  it('uses UTF-8, data checksums, durable commits, a socket, a loopback address and a password', async () => {
    const dataDirectory = makeDataDirectory()
    const server = await startEmbeddedPostgres({ dataDirectory })
    const settings = await runQuery<{ name: string; setting: string }>(
      server.ownerUrl,
      `select name, setting from pg_settings where name in ('server_encoding', 'data_checksums',
         'fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses',
         'password_encryption', 'unix_socket_directories')`,
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      server_encoding: 'UTF8',
      data_checksums: 'on',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      unix_socket_directories: `"${join(dataDirectory, 'postgresql', 'socket')}"`,
    })
    const wrong = new URL(server.ownerUrl)
    wrong.password = 'wrong'
    await expect(runQuery(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/)
    expect(statSync(join(dataDirectory, 'postgresql', 'password')).mode & 0o777).toBe(0o600)
    await server.stop()
  })

  it.each([
    ['through its socket', 'data, "quoted"', false],
    ['through its port when the path of the socket would be too long', 'd'.repeat(90), true],
  ])('accepts connections %s', async (_way, name, hasAddress) => {
    const dataDirectory = join(makeFolder(), name)
    const sql = 'select inet_server_addr() is not null as has_address'
    expect(await runStatement({ dataDirectory }, sql)).toEqual([{ has_address: hasAddress }])
  })

  it('keeps its data between two starts', async () => {
    const dataDirectory = makeDataDirectory()
    await runStatement({ dataDirectory }, `create table kept as select 'Zoë' as name`)
    expect(await runStatement({ dataDirectory }, 'select name from kept')).toEqual([
      { name: 'Zoë' },
    ])
  })

  it('does not log the values of failed statements', async () => {
    const dataDirectory = makeDataDirectory()
    const wrong = runStatement({ dataDirectory }, `select 'jane@example.com'::int`)
    await expect(wrong).rejects.toThrow(/jane@example.com/)
    expect(readFileSync(join(dataDirectory, 'postgresql.log'), 'utf8')).not.toContain('jane')
  })
})

describe('a crash', () => {
  it('of the process that runs the server (kill -9) also ends the server, and the next start finds every commit', async () => {
    const dataDirectory = makeDataDirectory()
    const { child, ownerUrl } = await hold(dataDirectory)
    const pid = serverPid(dataDirectory)
    await runQuery(ownerUrl, 'create table bookings as select generate_series(1, 100) as id')
    await kill(child)
    // The lock file of the database server may still exist, because the server's parent process was just killed.
    expect(await runStatement({ dataDirectory }, 'select count(*)::int from bookings')).toEqual([
      { count: 100 },
    ])
    expect(isAlive(pid)).toBe(false)
  })

  it('during the first start leaves no incomplete database behind', async () => {
    const dataDirectory = makeDataDirectory()
    mkdirSync(dataDirectory)
    writeFileSync(join(dataDirectory, 'torque-and-timing.json'), '{"layout":1}')
    // The folder's name ends with the id of the process that created the folder; no process has the id 4194305.
    const halfMade = join(dataDirectory, 'postgresql.new-4194305')
    mkdirSync(join(halfMade, 'cluster', 'base'), { recursive: true })
    expect(await runStatement({ dataDirectory }, 'select 1 as up')).toEqual([{ up: 1 }])
    expect(existsSync(halfMade)).toBe(false)
  })

  it.runIf(process.platform === 'linux')(
    'of the process and its watchdog leaves a running server, which the next start shuts down',
    async () => {
      const dataDirectory = makeDataDirectory()
      const { child } = await hold(dataDirectory)
      const pid = serverPid(dataDirectory)
      const watchdog = parentOf(pid)
      for (const helper of [...childrenOf(watchdog), watchdog]) {
        if (helper !== pid) process.kill(helper, 'SIGKILL')
      }
      await kill(child)
      expect(isAlive(pid)).toBe(true)
      await runStatement({ dataDirectory, timeoutMs: 300 }, 'select 1')
      expect(isAlive(pid)).toBe(false)
    },
  )

  it.runIf(process.platform === 'linux')(
    'of the watchdog alone does not delay stopping the server',
    async () => {
      const dataDirectory = makeDataDirectory()
      const server = await startEmbeddedPostgres({ dataDirectory, durable: false, timeoutMs: 200 })
      const pid = serverPid(dataDirectory)
      for (const helper of childrenOf(parentOf(pid))) {
        if (helper !== pid) process.kill(helper, 'SIGKILL')
      }
      await server.stop()
      expect(isAlive(pid)).toBe(false)
    },
  )

  it('leaves a lock file, which does not prevent the next start even if another program now has the process id in the file', async () => {
    const dataDirectory = makeDataDirectory()
    await runStatement({ dataDirectory }, 'select 1')
    const lock = join(clusterIn(dataDirectory), 'postmaster.pid')
    writeFileSync(lock, `${process.ppid}\n${clusterIn(dataDirectory)}\n1\n5432\n\n127.0.0.1\n`)
    expect(await runStatement({ dataDirectory }, 'select 1 as up')).toEqual([{ up: 1 }])
  })
})

describe('a socket', () => {
  it('that the server cannot create on the file system is replaced by a TCP port', async () => {
    const dataDirectory = makeDataDirectory()
    const native = makeFolder()
    for (const part of ['lib', 'share']) symlinkSync(join(findBinaries(), part), join(native, part))
    mkdirSync(join(native, 'bin'))
    symlinkSync(join(findBinaries(), 'bin', 'initdb'), join(native, 'bin', 'initdb'))
    const postgres = `#!/bin/sh
      case "$*" in *unix_socket_directories=?*) echo 'FATAL:  could not create any Unix-domain sockets' >&2; exit 1; esac
      exec ${join(findBinaries(), 'bin', 'postgres')} "$@"\n`
    writeFileSync(join(native, 'bin', 'postgres'), postgres, { mode: 0o755 })
    const sql = 'select inet_server_addr() is not null as has_address'
    expect(await runStatement({ dataDirectory, native }, sql)).toEqual([{ has_address: true }])
  })

  it('of a server that was killed is removed by the next start', async () => {
    const dataDirectory = makeDataDirectory()
    const server = await startEmbeddedPostgres({ dataDirectory, durable: false })
    const folder = join(dataDirectory, 'postgresql', 'socket')
    const sockets = readdirSync(folder)
    await server.stop()
    // The lock file names a process id that is too high for any process.
    writeFileSync(join(folder, '.s.PGSQL.1.lock'), '4194305\n')
    writeFileSync(join(folder, '.s.PGSQL.1'), '')
    await runStatement({ dataDirectory }, 'select 1')
    expect([sockets.length, readdirSync(folder)]).toEqual([2, []])
  })

  it('of a running server remains when a second server starts in the same folder', async () => {
    const dataDirectory = makeDataDirectory()
    const server = await startEmbeddedPostgres({ dataDirectory, durable: false })
    prepareSocketFolder(dataDirectory, { prefix: [], ids: {}, owner: undefined })
    expect(await runQuery(server.ownerUrl, 'select 1 as up')).toEqual([{ up: 1 }])
    await server.stop()
  })
})

describe('a database server that crashes while the process that started it runs', () => {
  /** Kills the first process of the server with `kill -9`, as the kernel does when memory runs out. */
  async function killServer(dataDirectory: string): Promise<number> {
    const pid = serverPid(dataDirectory)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5_000)
    return pid
  }

  /** Resolves when a server process other than `killed` accepts connections. */
  const isBack = (server: EmbeddedPostgres, dataDirectory: string, killed: number) =>
    vi.waitFor(
      () => {
        expect([0, killed]).not.toContain(serverPid(dataDirectory))
        expect(server.whyDown()).toBeUndefined()
      },
      { timeout: 15_000 },
    )

  it('is restarted on the same port with every committed row', async () => {
    const dataDirectory = makeDataDirectory()
    const server = await startEmbeddedPostgres({ dataDirectory })
    await runQuery(server.ownerUrl, 'create table kept as select 7 as id')
    const killed = await killServer(dataDirectory)
    await isBack(server, dataDirectory, killed)
    expect(await runQuery(server.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
    await server.stop()
    expect(serverPid(dataDirectory)).toBe(0)
  })

  it.runIf(process.platform === 'linux')(
    'is restarted without waiting for its unfinished statements',
    async () => {
      const dataDirectory = makeDataDirectory()
      const server = await startEmbeddedPostgres({ dataDirectory })
      const busy = new Client({ connectionString: server.ownerUrl })
      busy.on('error', () => undefined)
      await busy.connect()
      const counting = busy.query('select count(*) from generate_series(1, 1000000000)')
      await Promise.all([
        expect(counting).rejects.toThrow(/./),
        killServer(dataDirectory).then((killed) => isBack(server, dataDirectory, killed)),
      ])
      expect(await runQuery(server.ownerUrl, 'select 1 as up')).toEqual([{ up: 1 }])
      await server.stop()
    },
  )

  it.runIf(process.platform === 'linux')('is replaced when only its watchdog crashed', async () => {
    const dataDirectory = makeDataDirectory()
    const server = await startEmbeddedPostgres({ dataDirectory, durable: false })
    const pid = serverPid(dataDirectory)
    process.kill(parentOf(pid), 'SIGKILL')
    await isBack(server, dataDirectory, pid)
    expect(isAlive(pid)).toBe(false)
    await server.stop()
    expect(serverPid(dataDirectory)).toBe(0)
  })

  it(
    'is not restarted after the fifth crash within a minute, and the reason is reported',
    { timeout: 60_000 },
    async () => {
      const dataDirectory = makeDataDirectory()
      const server = await startEmbeddedPostgres({ dataDirectory, durable: false })
      for (let crash = 1; crash <= 4; crash += 1) {
        await isBack(server, dataDirectory, await killServer(dataDirectory))
      }
      await killServer(dataDirectory)
      expect(await server.lost).toMatch(/ended 5 times within a minute[^]*postgresql\.log/)
      await server.stop()
    },
  )

  it('is not restarted after a call of stop', async () => {
    const dataDirectory = makeDataDirectory()
    const server = await startEmbeddedPostgres({ dataDirectory, durable: false })
    await killServer(dataDirectory)
    await server.stop()
    expect(await runStatement({ dataDirectory }, 'select 1 as up')).toEqual([{ up: 1 }])
  })

  it('is not replaced by the server of a second process during its restart', async () => {
    const dataDirectory = makeDataDirectory()
    const { child } = await hold(dataDirectory)
    await killServer(dataDirectory)
    const second = startEmbeddedPostgres({ dataDirectory })
    await expect(second).rejects.toThrow(`process ${child.pid}`)
  })
})

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').map(Number)
}

describe('a data directory in use', () => {
  it('is refused to a second process, with an error that states the id of the first process', async () => {
    const dataDirectory = makeDataDirectory()
    const { child, ownerUrl } = await hold(dataDirectory)
    const second = startEmbeddedPostgres({ dataDirectory })
    await expect(second).rejects.toThrow(StartupError)
    await expect(second).rejects.toThrow(`process ${child.pid}`)
    expect(await runQuery(ownerUrl, 'select 1 as up')).toEqual([{ up: 1 }])
  })

  it('is used by exactly one of two processes that start at the same moment', async () => {
    const dataDirectory = makeDataDirectory()
    const both = await Promise.all([hold(dataDirectory), hold(dataDirectory)])
    expect(both.filter(({ ownerUrl }) => ownerUrl !== '')).toHaveLength(1)
    expect(both.map(({ refusal }) => refusal ?? '').join('')).toMatch(/Another process uses/)
  })
})

describe('a start on a broken data directory is refused and changes nothing', () => {
  const listFiles = (folder: string) => readdirSync(folder, { recursive: true }).toSorted(byName)
  const byName = (a: string | Buffer, b: string | Buffer) => String(a).localeCompare(String(b))

  /**
   * Starts a server on the folder and returns the error, and whether the start left all files in the folder unchanged.
   */
  async function refusalOf(dataDirectory: string) {
    const before = listFiles(dataDirectory)
    const error: unknown = await startEmbeddedPostgres({ dataDirectory }).catch((e: unknown) => e)
    return {
      isRefusal: error instanceof StartupError,
      message: String(error),
      isUntouched: JSON.stringify(listFiles(dataDirectory)) === JSON.stringify(before),
    }
  }

  const refusedWith = (message: RegExp) => ({
    isRefusal: true,
    isUntouched: true,
    message: expect.stringMatching(message) as string,
  })

  it('when the cluster has another major version or lacks files', async () => {
    const dataDirectory = makeDataDirectory()
    await runStatement({ dataDirectory }, 'select 1')
    const cluster = clusterIn(dataDirectory)
    writeFileSync(join(cluster, 'PG_VERSION'), '17\n')
    expect(await refusalOf(dataDirectory)).toEqual(
      refusedWith(/PostgreSQL 17 created the database/),
    )
    writeFileSync(join(cluster, 'PG_VERSION'), '18\n')
    const control = readFileSync(join(cluster, 'global', 'pg_control'))
    writeFileSync(join(cluster, 'global', 'pg_control'), Buffer.alloc(control.length, 7))
    expect(await refusalOf(dataDirectory)).toEqual(refusedWith(/did not start[^]*FATAL/))
    rmSync(join(cluster, 'global', 'pg_control'))
    expect(await refusalOf(dataDirectory)).toEqual(
      refusedWith(/damaged: some of its files are missing/),
    )
  })
})

describe.skipIf(!isRoot)(
  'an embedded PostgreSQL that root starts (skipped for other users)',
  () => {
    it.each(['namespaced', 'dropped', 'droppedWithKey'] as const)(
      'runs as the unprivileged account %s',
      async (way) => {
        // The account `dropped` cannot enter a data directory below a private home folder; each of the two remaining
        // accounts can.
        const home = way === 'dropped' ? tmpdir() : makeFolder()
        const dataDirectory = makeDataDirectory(home)
        chmodSync(join(dataDirectory, '..'), way === 'dropped' ? 0o755 : 0o700)
        const openPrograms = makeFolder()
        chmodSync(openPrograms, 0o755)
        const options = { dataDirectory, openPrograms, account: accountsOfRoot[way] }
        await runStatement(options, 'create table mine (id int)')
        expect(statSync(clusterIn(dataDirectory)).uid).toBe(way === 'namespaced' ? 0 : nobodyUid)
        expect(await runStatement(options, 'select * from mine')).toEqual([])
      },
    )

    it('opens a data directory that another account created', async () => {
      const dataDirectory = makeDataDirectory()
      chmodSync(join(dataDirectory, '..'), 0o755)
      for (const way of ['dropped', 'namespaced', 'dropped'] as const) {
        await runStatement({ dataDirectory, account: accountsOfRoot[way] }, 'select 1')
      }
      expect(existsSync(clusterIn(dataDirectory))).toBe(true)
    })

    it('keeps the owner of a data directory that belongs to an unprivileged user', async () => {
      const parent = makeFolder()
      chownSync(parent, nobodyUid, nobodyUid)
      const dataDirectory = join(parent, 'data')
      const asOtherUser = await hold(dataDirectory, { uid: nobodyUid, gid: nobodyUid })
      expect(asOtherUser).toMatchObject({
        ownerUrl: expect.stringContaining('postgresql://') as string,
      })
      await kill(asOtherUser.child)
      await runStatement({ dataDirectory }, 'select 1')
      const again = await hold(dataDirectory, { uid: nobodyUid, gid: nobodyUid })
      expect(again.ownerUrl).toContain('postgresql://')
      await kill(again.child)
      await vi.waitFor(() => expect(serverPid(dataDirectory)).toBe(0), 5_000)
    })
  },
)
