import { execFileSync } from 'node:child_process'
import { chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '@local/postgres'

/** As whom the PostgreSQL programs run: they refuse to run as root. */
export type Account = {
  /** Words before the command. */
  readonly prefix: readonly string[]
  /** Given to `spawn`: drops root for good. */
  readonly ids: { readonly uid: number; readonly gid: number } | Record<string, never>
  /** Who must own the cluster's files on disk; undefined leaves them alone. */
  readonly owner: number | undefined
  /** PostgreSQL asks whether it may run its own files in a way that overlooks the right to enter. */
  readonly needsOpenPrograms?: boolean
}

const ourselves: Account = { prefix: [], ids: {}, owner: undefined }

// In a namespace of its own the process is called 1000 but is root to the disk: it reaches a checkout
// below root's private home, and the files stay root's.
const namespaced: Account = {
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
  ids: {},
  owner: 0,
}

/** `nobody` on Debian and most others; any number but 0 does, it needs no entry in /etc/passwd. */
const unprivilegedId = 65_534

const dropped = (id: number): Account => ({ prefix: [], ids: { uid: id, gid: id }, owner: id })

// Containers often forbid namespaces, and a data directory below /root is then out of reach. This one
// may still enter private folders.
const droppedWithKey = (id: number): Account => ({
  prefix: [
    'setpriv',
    `--reuid=${id}`,
    `--regid=${id}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ],
  ids: {},
  owner: id,
  needsOpenPrograms: true,
})

/** For tests: every way of running that root has. */
export const accountsOfRoot = {
  namespaced,
  dropped: dropped(unprivilegedId),
  droppedWithKey: droppedWithKey(unprivilegedId),
}

/**
 * Plain users run PostgreSQL themselves. Root takes the first account that can run the programs in
 * `native` and reach `directory`; a directory that belongs to a plain user keeps its owner.
 */
export function chooseAccount(native: string, directory: string): Account {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return ourselves
  const ownerUid = statSync(directory).uid
  const candidates =
    ownerUid === 0 ? Object.values(accountsOfRoot) : [dropped(ownerUid), droppedWithKey(ownerUid)]
  const account = candidates.find((candidate) => canWork(candidate, native, directory))
  if (account) return account
  throw new StartupError(
    `PostgreSQL refuses to run as root, and no other account can reach ${directory} and ${native}. Run this program as a plain user, choose a data directory that every user may enter, or use another PostgreSQL server.`,
  )
}

function canWork(account: Account, native: string, directory: string): boolean {
  return (
    runs(account, [join(native, 'bin', 'postgres'), '--version']) &&
    runs(account, ['test', '-x', dirname(directory)])
  )
}

function runs({ prefix, ids }: Account, command: readonly string[]): boolean {
  const [program, ...args] = [...prefix, ...command]
  try {
    execFileSync(program as string, args, { stdio: 'ignore', cwd: '/', ...ids })
    return true
  } catch {
    return false
  }
}

/** Hands every file below `path` to the account; a cluster may have been made under another one. */
export function changeOwner({ owner }: Account, path: string): void {
  if (owner === undefined) return
  chownSync(path, owner, owner)
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    // PostgreSQL keeps no links in a cluster without tablespaces; never follow one out of the folder.
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), owner, owner)
  }
}

/** Whether `path` belongs to the account already. */
export function isOwnedBy({ owner }: Account, path: string): boolean {
  return owner === undefined || lstatSync(path).uid === owner
}
