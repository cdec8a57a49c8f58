import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** The number of wrong PINs within an hour after which the server locks a tablet. */
const triesOfTablet = 15
/** The number of wrong PINs after which the server checks no PIN of the team member for five minutes. */
const triesBeforeWait = 5
/** The number of wrong PINs after which the team member cannot use shared tablets until an owner clears the PIN. */
const triesOfMember = 10

/**
 * The permission to check one PIN. `pinHash` is null if the team member has no PIN or if wrong PINs have blocked the
 * PIN.
 */
export type PinAttempt = { readonly id: string; readonly pinHash: string | null }

type Asked = { readonly tabletId: string; readonly accountId: string }

/** Sets the PIN of a team member and resets their number of wrong attempts. */
export async function storePin(database: Database, userId: string, pinHash: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `insert into internal.tablet_pins (user_id, pin_hash) values ($1, $2)
       on conflict (user_id) do update
       set pin_hash = excluded.pin_hash, wrong_count = 0, waits_until = null, set_at = now()`,
      [userId, pinHash],
    ),
  )
}

/** Removes the PIN of a team member. */
export async function clearPin(
  database: Database,
  userId: string,
  clearedBy: string,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('select internal.clear_pin($1, $2)', [userId, clearedBy]),
  )
}

/**
 * Counts an attempt before the server checks its PIN, so that simultaneous guesses gain no additional checks.
 * Attempts at one tablet run one after the other, because each attempt locks the tablet's row. A conditional update
 * counts the attempts of a team member at all tablets. Returns undefined when the tablet is locked or revoked.
 */
export function takeAttempt(
  database: Database,
  { tabletId, accountId }: Asked,
): Promise<PinAttempt | undefined> {
  return database.transaction(asServer, async (query) => {
    const [tablet] = await query(
      'select id from internal.tablets where id = $1 and revoked_at is null and locked_at is null for update',
      [tabletId],
    )
    if (!tablet) return undefined
    await query(
      `delete from internal.tablet_attempts where tablet_id = $1 and attempted_at <= now() - interval '1 hour'`,
      [tabletId],
    )
    const [attempt] = await query(
      `insert into internal.tablet_attempts (tablet_id)
       select $1 where (select count(*) from internal.tablet_attempts where tablet_id = $1) < ${triesOfTablet} returning id`,
      [tabletId],
    )
    if (!attempt) return undefined
    const [pin] = await query(
      `update internal.tablet_pins set wrong_count = wrong_count + 1,
         waits_until = case when wrong_count + 1 = ${triesBeforeWait} then now() + interval '5 minutes' end
       where user_id = $1 and wrong_count < ${triesOfMember} and coalesce(waits_until <= now(), true)
       returning pin_hash`,
      [accountId],
    )
    return { id: attempt.id, pinHash: pin?.pin_hash ?? null }
  })
}

/** Deletes the record of an attempt whose PIN was right, and resets the team member's number of wrong PINs. */
export async function forgetAttempts(
  database: Database,
  accountId: string,
  attempt: PinAttempt,
): Promise<void> {
  await database.transaction(asServer, async (query) => {
    await query('delete from internal.tablet_attempts where id = $1', [attempt.id])
    await query(
      'update internal.tablet_pins set wrong_count = 0, waits_until = null where user_id = $1',
      [accountId],
    )
  })
}

/** Reverses the counting of an attempt whose PIN the server did not check because of overload. */
export async function returnAttempt(
  database: Database,
  accountId: string,
  { id, pinHash }: PinAttempt,
): Promise<void> {
  await database.transaction(asServer, async (query) => {
    await query('delete from internal.tablet_attempts where id = $1', [id])
    if (pinHash === null) return
    await query(
      `update internal.tablet_pins set wrong_count = greatest(wrong_count - 1, 0), waits_until = null where user_id = $1`,
      [accountId],
    )
  })
}

/**
 * The message about a wrong PIN, and the username of the account; the username is empty for a team member without an
 * account.
 */
export type WrongPin = { readonly message: string; readonly username: string }

/** Locks the tablet after its last permitted attempt, and returns the message about the wrong PIN. */
export function recordWrongPin(
  database: Database,
  { tabletId, accountId }: Asked,
): Promise<WrongPin> {
  return database.transaction(asServer, async (query) => {
    await query(
      `update internal.tablets set locked_at = now() where id = $1 and locked_at is null and
         (select count(*) from internal.tablet_attempts where tablet_id = $1) >= ${triesOfTablet}`,
      [tabletId],
    )
    const [row] = rowsAs<Tries & { username: string }>(
      await query(
        `select username, name, wrong_count, coalesce(ceil(extract(epoch from waits_until - now()) / 60), 0)::int as wait_minutes
         from internal.tablet_pins join public.staff_accounts using (user_id) where user_id = $1`,
        [accountId],
      ),
    )
    if (!row) return { message: 'This PIN is wrong.', username: '' }
    return { message: wrongPinText(row), username: row.username }
  })
}

type Tries = { readonly name: string; readonly wrong_count: number; readonly wait_minutes: number }

function wrongPinText({ name, wrong_count: wrong, wait_minutes: minutes }: Tries): string {
  if (wrong >= triesOfMember)
    return `Too many wrong PINs. An owner has to clear the PIN of ${name}.`
  if (minutes > 0) {
    return `${name} waits ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Others can open.`
  }
  const left = (wrong < triesBeforeWait ? triesBeforeWait : triesOfMember) - wrong
  return `This PIN is wrong. ${left} ${left === 1 ? 'try' : 'tries'} left.`
}
