import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { admin, formBot, refusalTo, visitor } from '#tests/support/database/database-fixtures.ts'

const advisorId = '00000000-0000-4000-8000-00000000000a'
const advisor: Identity = {
  role: 'shop_advisor',
  claims: { role: 'authenticated', sub: advisorId },
}

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  await shop.owner.query(
    `insert into public.staff_accounts (user_id, username, name, role) values ($1, 'lena', 'Lena Marsh', 'advisor')`,
    [advisorId],
  )
})
afterAll(() => shop.drop())
beforeEach(() => runAsJob('delete from public.audit_events'))

/** Runs a statement while the triggers that protect the audit log are disabled. */
const runAsJob = (sql: string) =>
  shop.owner.query(`begin; set local session_replication_role = replica; ${sql}; commit`)

const lines = async () =>
  (
    await shop.owner.query<Record<string, unknown>>(
      'select kind, role, detail, device, host(network_address) as address from public.audit_events order by id',
    )
  ).rows

const readAs = (identity: Identity) =>
  shop.database.transaction(identity, (query) => query.unchecked('select * from read_audit()', []))

describe('the audit log', () => {
  it('records a sign-in with device and network address', async () => {
    await shop.owner.query(
      `insert into internal.admin_sessions (token_hash, user_id, username, device, network_address)
       values (sha256('one'), $1, 'lena', 'Chrome on Windows', '203.0.113.44')`,
      [advisorId],
    )
    expect(await lines()).toEqual([
      {
        kind: 'signed_in',
        role: 'advisor',
        detail: null,
        device: 'Chrome on Windows',
        address: '203.0.113.44',
      },
    ])
  })

  it('records who changed a role or switched an account off, and the account that was changed', async () => {
    await shop.database.transaction(admin, async (query) => {
      await query.unchecked(`select set_config('shop.command', 'test', true)`, [])
      await query.unchecked(
        `update public.staff_accounts set role = 'technician' where user_id = $1`,
        [advisorId],
      )
      await query.unchecked(
        `update public.staff_accounts set is_active = false where user_id = $1`,
        [advisorId],
      )
    })
    await shop.owner.query(
      `update public.staff_accounts set role = 'advisor', is_active = true where user_id = $1`,
      [advisorId],
    )
    const [newest, , , oldest] = await readAs(admin)
    expect(oldest).toMatchObject({
      kind: 'role_changed',
      detail: 'advisor to technician',
      user_name: 'ana',
      role: 'owner',
      subject_name: 'Lena Marsh',
    })
    // The command ran on the server without a staff account, so the audit entry names no user.
    expect(newest).toMatchObject({ kind: 'switched_on', user_name: null, role: null })
  })

  it('records who invited which person with which role, and who revoked the invitation', async () => {
    await shop.database.transaction(admin, async (query) => {
      await query.unchecked(`select set_config('shop.command', 'test', true)`, [])
      await query.unchecked(
        `insert into public.staff_invitations (id, name, email, role, token_hash)
         values ($1, 'Mei Kato', 'mei@example.com', 'advisor', sha256('token'))`,
        [advisorId],
      )
      await query.unchecked('update public.staff_invitations set taken_back_at = now()', [])
    })
    expect(await readAs(admin)).toMatchObject([
      { kind: 'invitation_taken_back', user_name: 'ana', detail: 'Mei Kato, advisor' },
      { kind: 'invited', user_name: 'ana', detail: 'Mei Kato, advisor' },
    ])
  })

  /**
   * Writes an audit entry for Lena Marsh, whose sign-in sessions have the given step-up authentications. Returns the
   * method of step-up authentication in the audit entry.
   */
  async function confirmationOf(
    sessions: readonly { readonly way: 'passkey' | 'password' | null; readonly until: string }[],
    write = `select internal.record_export('files_exported', 'lena', null, 'payments')`,
  ) {
    await shop.owner.query(`delete from internal.admin_sessions where username = 'lena'`)
    for (const { way, until } of sessions) {
      await shop.owner.query(
        `insert into internal.admin_sessions (token_hash, user_id, username, confirmed_with, confirmed_until)
         values (sha256(uuid_send(gen_random_uuid())), $1, 'lena', $2, now() + $3::interval)`,
        [advisorId, way, until],
      )
    }
    await shop.owner.query(write)
    const [newest] = await readAs(admin)
    return newest?.['confirmed_with']
  }

  it('states in an entry how the user confirmed the step-up authentication before the action', async () => {
    expect(await confirmationOf([{ way: 'passkey', until: '4 minutes' }])).toBe('passkey')
    expect(await confirmationOf([{ way: 'password', until: '4 minutes' }])).toBe('password')
    // The step-up authentication expired 30 seconds ago, but the action may have begun before the expiry.
    expect(await confirmationOf([{ way: 'passkey', until: '-30 seconds' }])).toBe('passkey')
    expect(await confirmationOf([{ way: 'passkey', until: '-2 minutes' }])).toBeNull()
    expect(await confirmationOf([])).toBeNull()
  })

  it('states no step-up method in an entry when the account’s sign-in sessions were confirmed by different methods', async () => {
    const passkey = { way: 'passkey', until: '4 minutes' } as const
    expect(await confirmationOf([passkey, { way: 'passkey', until: '1 minute' }])).toBe('passkey')
    expect(await confirmationOf([passkey, { way: 'password', until: '-2 minutes' }])).toBe(
      'passkey',
    )
    for (const way of ['password', null] as const) {
      expect(await confirmationOf([passkey, { way, until: '4 minutes' }])).toBeNull()
    }
  })

  it('states no step-up method in an entry about an action that needs no step-up authentication', async () => {
    const written = `select internal.record_refusal('not_allowed', '${advisorId}', null, '/api/audit/file', null)`
    expect(await confirmationOf([{ way: 'passkey', until: '4 minutes' }], written)).toBeNull()
  })

  it('has at most one entry in 15 minutes for wrong passwords of one account, and stores no unknown username', async () => {
    for (const username of ['lena', 'lena', 'maria@example.com', 'nobody']) {
      await shop.owner.query(
        `select internal.record_refusal('wrong_password', null, $1, null, '203.0.113.44')`,
        [username],
      )
    }
    expect(await lines()).toHaveLength(2)
    expect(await readAs(admin)).toMatchObject([
      { kind: 'wrong_password', subject_name: null },
      { kind: 'wrong_password', subject_name: 'Lena Marsh' },
    ])
  })

  it('can be read by owners only, and written by no role', async () => {
    await shop.owner.query(
      `select internal.record_export('files_exported', 'ana', null, 'payments')`,
    )
    expect(await readAs(admin)).toMatchObject([{ kind: 'files_exported', user_name: 'ana' }])
    for (const identity of [advisor, visitor, formBot, { ...advisor, role: 'shop_technician' }]) {
      expect(
        (
          await refusalTo(shop.database, identity, (query) =>
            query.unchecked('select * from read_audit()', []),
          )
        ).code,
      ).toBe('42501')
    }
    // This access token still names the database role of owners although the account is now an advisor, so the account
    // can read no audit entries.
    expect(await readAs({ ...advisor, role: 'shop_owner' })).toEqual([])
    const write = `insert into public.audit_events (kind) values ('erased')`
    const refusal = await refusalTo(shop.database, admin, (query) => query.unchecked(write, []))
    expect(refusal.code).toBe('42501')
  })
})

describe('the cleanup job of the audit log', () => {
  const addLine = (age: string, address = '203.0.113.44') =>
    shop.owner.query(
      `insert into public.audit_events (kind, network_address, happened_at) values ('signed_in', $1, now() - $2::interval)`,
      [address, age],
    )

  it('shortens IP addresses to their network after 30 days', async () => {
    await addLine('29 days')
    await addLine('31 days')
    await addLine('31 days', '2001:db8:1:2::/64')
    await shop.owner.query('select internal.clean_audit()')
    const { rows } = await shop.owner.query(
      'select network_address::text as network from public.audit_events order by id',
    )
    expect(rows).toEqual([
      { network: '203.0.113.44/32' },
      { network: '203.0.113.0/24' },
      { network: '2001:db8:1::/48' },
    ])
  })

  it('removes entries after three years, and adds an entry about the removal', async () => {
    await addLine('2 years 364 days')
    await addLine('3 years 1 day')
    await shop.owner.query('select internal.clean_audit()')
    expect(await lines()).toMatchObject([
      { kind: 'signed_in' },
      { kind: 'lines_removed', detail: '1 line' },
    ])
    await shop.owner.query('select internal.clean_audit()')
    expect(await lines()).toHaveLength(2)
  })

  it('can neither change another column nor delete a newer entry', async () => {
    await addLine('31 days')
    for (const change of [
      `update public.audit_events set kind = 'erased'`,
      `update public.audit_events set network_address = '198.51.100.1'`,
      'delete from public.audit_events',
    ]) {
      const refused = shop.owner.query(
        `begin; set local shop.ledger_exception = 'audit_cleanup'; ${change}; commit`,
      )
      await expect(refused).rejects.toMatchObject({ code: 'TT055' })
      await shop.owner.query('rollback')
    }
  })
})
