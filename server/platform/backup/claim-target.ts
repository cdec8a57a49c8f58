import { randomBytes } from 'node:crypto'
import { type BackupContext, changeState, nameIn } from './backup-context.ts'
import { beginState, separateFrom } from './begin-state.ts'
import { markName, objectNames } from './objects/object-names.ts'
import type { Claim } from './origin.ts'
import { type Target, TargetError } from './target/target.ts'

const claimIntervalMs = 3_600_000

/**
 * The time in milliseconds for which the marker file that identifies the target must be missing before the process
 * concludes that the target was emptied. During this time, somebody may be moving the backup.
 */
const emptiedAfterMs = 600_000

/**
 * Checks the marker file, which identifies the target, to make sure that the target is still the same. Writes this file
 * to a new target. If the marker file of a known target is missing, the process sends nothing, because the disk may not
 * be mounted. The process makes a new base backup when the marker file is there again, or when the target was certainly
 * emptied.
 */
export async function checkMark(context: BackupContext): Promise<void> {
  const { target, state } = context
  const found = await readMark(context)
  if (found !== undefined && found === state.mark) return continueAtTarget(context)
  if (state.mark === undefined) {
    const mark = found ?? (await createMark(context))
    return changeState(context, { mark })
  }
  if (found !== undefined) return beginAnew(context, found)
  noteMissingMark(context)
  if (await isEmptied(context)) return beginAnew(context, await createMark(context))
  throw new TargetError(
    'emptied',
    `${target.address} no longer contains ${markName}: the disk is not mounted, or the backup was deleted.`,
  )
}

async function continueAtTarget(context: BackupContext): Promise<void> {
  const { target, state } = context
  const disk = await target.disk()
  if (state.disk !== disk) changeState(context, { disk })
  if (state.missingSinceMs === undefined) return
  // If the marker file is there again, but not the claim of this process (the record that reserves its folder),
  // somebody restored only the marker file. Every file of the shop must then be sent again.
  if (await isRemoved(context)) beginAnew(context, state.mark)
  else changeState(context, { missingSinceMs: undefined })
}

/**
 * Whether the newest claim of this process is missing at the target. A claim is a record with which a process
 * reserves its folder.
 */
async function isRemoved(context: BackupContext): Promise<boolean> {
  const { target, state } = context
  return (await target.get(nameIn(context, objectNames.claim(state.claim)))) === undefined
}

function noteMissingMark(context: BackupContext): void {
  const { state, now } = context
  if (state.missingSinceMs !== undefined && state.baseReason === 'missing mark') return
  const { missingSinceMs = now() } = state
  changeState(context, { missingSinceMs, baseReason: 'missing mark' })
}

/**
 * Whether the target has been empty for ten minutes (`emptiedAfterMs`) and is still on the disk that contained the
 * marker file.
 */
async function isEmptied({ target, state, now }: BackupContext): Promise<boolean> {
  const { missingSinceMs = now(), disk } = state
  if (now() - missingSinceMs < emptiedAfterMs || disk !== (await target.disk())) return false
  return (await listShops(target)).length === 0
}

/** Whether the target has the marker file that this backup wrote. */
export async function hasOwnMark(context: BackupContext): Promise<boolean> {
  return context.state.mark !== undefined && (await readMark(context)) === context.state.mark
}

async function readMark({ target }: BackupContext): Promise<string | undefined> {
  const content = await target.get(markName)
  if (content === undefined) return undefined
  const id = /"id": ?"([\w-]{8,64})"/.exec(content.toString())?.[1]
  if (id !== undefined) return id
  throw new TargetError('emptied', `${markName} in ${target.address} is damaged.`)
}

async function createMark(context: BackupContext): Promise<string> {
  const id = randomBytes(12).toString('hex')
  const content = `{"kind":"torque-and-timing backup","format":1,"id":"${id}"}\n`
  if (await context.target.create(markName, Buffer.from(content))) return id
  return (await readMark(context)) ?? createMark(context)
}

/**
 * Writes a claim with which this process reserves its incarnation (backup history) at the target, at the first contact
 * and then hourly. Claims are numbered, and only one process can create the claim with a given number. If the claim
 * exists already, another process uses a copy of the data directory, and this process continues with a new incarnation
 * id.
 */
export async function renewClaim(context: BackupContext): Promise<void> {
  const { state, target, now } = context
  const isPending = state.claimedMs === 0
  if (!isPending && now() - state.claimedMs < claimIntervalMs) {
    // If the next claim (folder reservation) exists already, another copy of this shop was started in the meantime.
    const next = await target.get(nameIn(context, objectNames.claim(state.claim + 1)))
    return next === undefined ? undefined : beginAnew(context, state.mark)
  }
  // If the claim (the record that reserves the folder) is missing, another process deleted this incarnation (backup
  // history), because the claim was not renewed for the whole retention period of the backups.
  if (!isPending && (await isRemoved(context))) return beginAnew(context, state.mark)
  if (!isPending || state.claim === 0) {
    // The token of the claim (the record that reserves the folder) is saved on this machine before the claim is sent.
    // After a crash, the process therefore recognizes the claim as its own.
    const token = randomBytes(12).toString('hex')
    const claim: Claim = { token, atMs: now(), origin: state.origin }
    const claimToken = JSON.stringify(claim)
    changeState(context, { claim: state.claim + 1, claimToken, claimedMs: 0 })
  }
  const name = nameIn(context, objectNames.claim(state.claim))
  const isOurs =
    (await target.create(name, Buffer.from(state.claimToken))) ||
    (await target.get(name))?.toString() === state.claimToken
  if (!isOurs) return beginAnew(context, state.mark)
  changeState(context, { claimedMs: now() })
}

/** Continues the backup with the id of a new incarnation (backup history), and requests an immediate base backup. */
function beginAnew(context: BackupContext, mark: string | undefined): void {
  const { state, key, now } = context
  const origin = separateFrom(state.incarnation, now())
  const next = beginState(state.incarnation, key, state.address, 'another claim', origin)
  const brokenMs = state.brokenMs ?? state.sentUntilMs
  changeState(context, {
    ...next,
    mark,
    brokenMs,
    brokenAt: undefined,
    sentUntilMs: undefined,
    missingSinceMs: undefined,
  })
}

/** The PostgreSQL system identifiers of other shops that have a backup at the target. */
export async function findOtherShops({ target, state }: BackupContext): Promise<string[]> {
  return (await listShops(target)).filter((name) => name !== state.incarnation.systemId)
}

/** The PostgreSQL system identifiers of all shops that have a backup at the target. */
async function listShops(target: Target): Promise<string[]> {
  return (await target.folders('')).filter((name) => /^\d{1,20}$/.test(name))
}
