import { execFileSync } from 'node:child_process'
import { chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '@local/postgres'

/** The operating system account that runs the PostgreSQL programs, which refuse to run as root. */
export type Account = {
  /** A program and its arguments, which are put before a command and run the command under the account. */
  readonly prefix: readonly string[]
  /** Options of `spawn` that drop root's rights for the whole process. */
  readonly ids: { readonly uid: number; readonly gid: number } | Record<string, never>
  /** The user id that must own the cluster's files; undefined leaves their owner unchanged. */
  readonly owner: number | undefined
  /**
   * Whether the program files must be readable for everyone: PostgreSQL checks these files with `access()`. This check
   * ignores the capability that lets this account enter private folders.
   */
  readonly needsOpenPrograms?: boolean
}

const ourselves: Account = { prefix: [], ids: {}, owner: undefined }

// Runs the command in a user namespace, in which the process has user id 1000 while the file system treats the process
// as root. The process can therefore read a checkout below root's private home folder, and the files that it creates
// belong to root.
const namespaced: Account = {
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'],
  ids: {},
  owner: 0,
}

/**
 * The user id of `nobody` on Debian and most other systems. Any id except 0 works; /etc/passwd need not contain this
 * id.
 */
const unprivilegedId = 65_534

const dropped = (id: number): Account => ({ prefix: [], ids: { uid: id, gid: id }, owner: id })

// Drops root's user id but keeps the capability dac_override, with which the process can enter private folders. This
// account is used where a container forbids namespaces; an ordinary user could not enter a data directory below /root.
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

/** The operating system accounts under which root can run PostgreSQL; exported for tests. */
export const accountsOfRoot = {
  namespaced,
  dropped: dropped(unprivilegedId),
  droppedWithKey: droppedWithKey(unprivilegedId),
}

/**
 * Chooses the account. A user other than root runs PostgreSQL as that user. Root uses the first account that can run
 * the programs in the folder `native` and enter the data directory `directory`. A data directory of another user keeps
 * its owner.
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

/**
 * Returns the same account with the lowest CPU priority: its programs run only when no other program needs the
 * processor.
 */
export function withLowPriority(account: Account): Account {
  return { ...account, prefix: ['nice', '-n', '19', ...account.prefix] }
}

/** Makes the account the owner of every file below `path`, because another account may have created the cluster. */
export function changeOwner({ owner }: Account, path: string): void {
  if (owner === undefined) return
  chownSync(path, owner, owner)
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    // The function skips symbolic links: a cluster without tablespaces contains none, and following a link could change
    // files outside the folder.
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), owner, owner)
  }
}

/** Returns whether the account already owns the file or folder at `path`. */
export function isOwnedBy({ owner }: Account, path: string): boolean {
  return owner === undefined || lstatSync(path).uid === owner
}
