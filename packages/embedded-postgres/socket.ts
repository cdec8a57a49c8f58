import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, changeOwner } from './account.ts'
import { isRunning, readText } from './running-process.ts'

// Processes of this machine connect to the server through a Unix socket. In a measurement, the query for a free
// appointment time needed a tenth less processor time than over TCP. The server also listens on a loopback port.

/** The maximum length in bytes of a socket's path on macOS; Linux allows four bytes more. */
const longestSocketPath = 103

const socketFolderOf = (directory: string) => join(directory, 'postgresql', 'socket')
const socketFileOf = (folder: string, port: number) => join(folder, `.s.PGSQL.${port}`)

/**
 * Creates the folder in which a server of `account` creates its socket, and returns the server setting for this folder.
 * If the path of the socket would be too long, returns an empty setting, with which the server creates no socket.
 */
export function prepareSocketFolder(directory: string, account: Account): string {
  const folder = socketFolderOf(directory)
  if (Buffer.byteLength(socketFileOf(folder, 65_535)) > longestSocketPath) return ''
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeStaleSockets(folder)
  changeOwner(account, folder)
  // The setting unix_socket_directories is a list separated by commas. Quotation marks allow a comma in a path.
  return `"${folder.replaceAll('"', '""')}"`
}

/**
 * Returns the superuser's connection URL for a running server: through its socket if the server has one, else through
 * its port.
 */
export function urlOfServer(directory: string, password: string, port: number): string {
  const url = new URL(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres`)
  const folder = socketFolderOf(directory)
  if (existsSync(socketFileOf(folder, port))) url.searchParams.set('host', folder)
  return url.href
}

/**
 * Removes the sockets of servers that were killed. The socket of a running server stays, because two processes may
 * start on one data directory at the same moment: the second process must not disconnect the first.
 */
function removeStaleSockets(folder: string): void {
  for (const lock of readdirSync(folder).filter((name) => name.endsWith('.lock'))) {
    const pid = Number.parseInt(readText(join(folder, lock)) ?? '', 10)
    if (isRunning(pid, 'postgres')) continue
    rmSync(join(folder, lock), { force: true })
    rmSync(join(folder, lock.slice(0, -'.lock'.length)), { force: true })
  }
}
