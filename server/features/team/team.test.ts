import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { teamCommands } from '#contracts/team.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

const password = 'a long password of Mei'

let shop: TestApp
let cookie: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
})
afterAll(() => shop.close())
beforeEach(async () => {
  await owner(
    `delete from public.staff_invitations;
     delete from public.staff_accounts where username not in ('admin', 'ana');
     delete from public.employees; delete from public.emails;
     delete from auth.users where email <> '${staffEmail(testAdmin.username)}'`,
  )
  cookie = await shop.logIn()
  await post('/api/admin/confirm-password', { password: testAdmin.password })
})

const owner = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.database.owner.query<Row>(sql, values)).rows

async function post(url: string, payload: object, as = cookie) {
  const response = await shop.inject({ method: 'POST', url, payload, headers: { cookie: as } })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}
const run = ({ path }: { path: string }, input: object, as = cookie) =>
  post(path, { commandId: randomUUID(), input }, as)

const mei = { name: 'Mei Kato', email: 'Mei.Kato@example.com', role: 'advisor' }

/** Invites a team member. Returns the invitation and the path of the link in the invitation email. */
async function invite(changes: object = {}) {
  const invitationId = randomUUID()
  const input = { invitationId, accountId: null, ...mei, ...changes }
  const command = input.role === 'owner' ? teamCommands.inviteOwner : teamCommands.invite
  const outcome = await run(command, input)
  return { invitationId, outcome, path: await newestLink() }
}

async function newestLink(): Promise<string> {
  const [email] = await owner<{ text: string }>(
    `select text_body as text from public.emails where kind = 'invitation' order by created_at desc limit 1`,
  )
  return /\/join\/[\w-]{43}/.exec(email?.text ?? '')?.[0] ?? ''
}

/** Submits the form of the invitation page. */
const submit = (path: string, fields: Record<string, string> = { password }) =>
  shop.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  })
const open = (path: string) => shop.inject({ url: path })

/** Accepts an invitation with a password. Then removes the new account's obligation to set up an authenticator app. */
async function join(changes: object = {}) {
  const { path } = await invite(changes)
  const response = await submit(path)
  const session = response.cookies.find(({ name }) => name === 'admin_session')
  expect(response.body).toContain('You have joined, ')
  await owner('update public.staff_accounts set needs_code_app = false')
  const [account] = await owner<{ user_id: string; employee_id: string; username: string }>(
    `select user_id, employee_id, username from public.staff_accounts where email is not null
     order by created_at desc limit 1`,
  )
  return {
    accountId: account?.user_id ?? '',
    employeeId: account?.employee_id ?? '',
    username: account?.username ?? '',
    cookie: `admin_session=${session?.value}`,
  }
}
const whoIs = async (as: string) =>
  (await shop.inject({ url: '/api/admin/me', headers: { cookie: as } })).json()
const accounts = () =>
  owner(
    `select username, name, email, role, is_active from public.staff_accounts where username <> 'ana' order by username`,
  )

describe('an invitation to the team', () => {
  it('creates an account with the invited name, email address and role, and signs the new team member in', async () => {
    const { outcome, path } = await invite()
    expect(outcome.body).toEqual({ ok: true, result: { username: 'mei', isEmailSetUp: false } })
    const page = await open(path)
    expect(page.body).toContain('Welcome, Mei.')
    expect(page.body).toContain('admin invites you as Advisor.')
    expect(page.body).toContain('<b>mei</b>')
    expect(page.headers['cache-control']).toBe('no-store')
    const response = await submit(path)
    expect(response.body).toContain('You have joined, Mei.')
    const session = response.cookies.find(({ name }) => name === 'admin_session')
    expect(await whoIs(`admin_session=${session?.value}`)).toMatchObject({
      user: { username: 'mei' },
      role: 'advisor',
    })
    expect(await accounts()).toContainEqual({
      username: 'mei',
      name: 'Mei Kato',
      email: 'mei.kato@example.com',
      role: 'advisor',
      is_active: true,
    })
    expect(await owner('select name, email from public.employees')).toEqual([
      { name: 'Mei Kato', email: 'mei.kato@example.com' },
    ])
    const signedIn = await post('/api/admin/login', { username: 'mei', password }, '')
    expect(signedIn.status).toBe(200)
  })

  it('is not used up by GET and HEAD requests to its link', async () => {
    const { path } = await invite()
    const before = await owner('select * from public.staff_invitations')
    for (let count = 0; count < 3; count += 1) expect((await open(path)).statusCode).toBe(200)
    expect((await shop.inject({ method: 'HEAD', url: path })).statusCode).toBe(200)
    expect(await owner('select * from public.staff_invitations')).toEqual(before)
    expect(await accounts()).toHaveLength(1)
  })

  it('shows the same page for used, expired, revoked, replaced and invented links', async () => {
    const used = await invite()
    await submit(used.path)
    const expired = await invite({ email: 'two@example.com' })
    await owner(`update public.staff_invitations set expires_at = now() where id = $1`, [
      expired.invitationId,
    ])
    const takenBack = await invite({ email: 'three@example.com' })
    await run(teamCommands.takeBack, { invitationId: takenBack.invitationId })
    const replaced = await invite({ email: 'four@example.com' })
    await run(teamCommands.sendAgain, { invitationId: replaced.invitationId })
    const current = await newestLink()
    const paths = [used, expired, takenBack, replaced].map(({ path }) => path)
    const before = await accounts()
    const responses = []
    for (const path of [...paths, `/join/${'A'.repeat(43)}`, '/join/x']) {
      responses.push(await open(path), await submit(path))
    }
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 404))
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
    expect(responses[0]?.body).toContain('This invitation is not valid.')
    expect(responses.flatMap(({ cookies }) => cookies)).toEqual([])
    expect(await accounts()).toEqual(before)
    expect((await open(current)).statusCode).toBe(200)
  })

  it.each([
    ['short', 'The password must have at least 12 characters.'],
    ['qwerty123456', 'This password is on a list of common passwords. Choose a longer one.'],
  ])('stays open when the password is %s', async (weak, text) => {
    const { path } = await invite()
    const response = await submit(path, { password: weak })
    expect(response.statusCode).toBe(422)
    expect(response.body).toContain(text)
    expect(response.body).not.toContain(weak)
    expect(response.cookies).toEqual([])
    expect(await accounts()).toHaveLength(1)
    expect((await submit(path)).body).toContain('You have joined, ')
  })

  it.each(['email', 'name', 'role', 'username', 'accountId'])(
    'refuses a form with the additional field %s, and creates no account',
    async (field) => {
      const { path } = await invite()
      const response = await submit(path, { password, [field]: 'owner' })
      expect(response.statusCode).toBe(400)
      expect(response.cookies).toEqual([])
      expect(await accounts()).toHaveLength(1)
      expect((await submit(path)).body).toContain('You have joined, ')
    },
  )

  it('creates one account when its form is submitted three times at the same time', async () => {
    const { path } = await invite()
    const responses = await Promise.all([submit(path), submit(path), submit(path)])
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404])
    expect(await accounts()).toHaveLength(2)
    const [users] = await owner<{ count: number }>('select count(*)::int from auth.users')
    expect(users).toEqual({ count: 2 })
  })

  it('cannot be accepted by a cross-site request', async () => {
    const { path } = await invite()
    const response = await shop.inject({
      method: 'POST',
      url: path,
      payload: new URLSearchParams({ password }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
    })
    expect(response.statusCode).toBe(403)
    expect(await accounts()).toHaveLength(1)
  })

  it('is stored as a hash, and without a mail server only an owner can read its link in the outbox', async () => {
    const { path } = await invite()
    const token = path.replace('/join/', '')
    const [row] = await owner<{ row: string; hash: string }>(
      `select invitation::text as row, encode(token_hash, 'hex') as hash from public.staff_invitations invitation`,
    )
    expect(row?.row).not.toContain(token)
    expect(row?.hash).toBe(createHash('sha256').update(token).digest('hex'))
    const [email] = await owner<{ id: string }>('select id from public.emails')
    const [commands] = await owner<{ text: string }>(
      'select json_agg(command)::text as text from internal.commands command',
    )
    expect(commands?.text).not.toContain(token)
    const advisor = await join({ email: 'two@example.com' })
    const read = (part: string, as: string) =>
      shop.inject({ url: `/api/outbox/${email?.id}${part}`, headers: { cookie: as } })
    for (const part of ['', '/preview', '/message.eml']) {
      const hidden = await read(part, advisor.cookie)
      expect(hidden.statusCode).toBe(200)
      expect(hidden.body).not.toContain(token)
      expect(hidden.body).toContain('only the invited team member')
    }
    expect((await read('', cookie)).body).toContain(token)
  })

  it('uses the first name as the username, with a number if that username is taken', async () => {
    const names = ['Zoë Ortiz', 'Zoe Park', 'ZOE', '李', 'Admin Reyes']
    const usernames = []
    for (const [nth, name] of names.entries()) {
      const { outcome } = await invite({ name, email: `person${nth}@example.com` })
      usernames.push(outcome.body['result'])
    }
    expect(usernames).toEqual(
      ['zoe', 'zoe2', 'zoe3', 'team', 'admin2'].map((username) => ({
        username,
        isEmailSetUp: false,
      })),
    )
  })

  it('is refused if the email address already has an invitation or an account', async () => {
    await join()
    expect((await invite()).outcome.body).toMatchObject({ cause: { code: 'TT121' } })
    await invite({ email: 'two@example.com' })
    const second = await invite({ email: 'two@example.com' })
    expect(second.outcome.body).toMatchObject({ cause: { code: '23505' } })
  })

  it('becomes invalid when the owner who sent it loses the owner role', async () => {
    const lena = await join({ name: 'Lena', email: 'lena@example.com', role: 'owner' })
    await post('/api/admin/confirm-password', { password }, lena.cookie)
    const sent = await run(
      teamCommands.invite,
      { invitationId: randomUUID(), accountId: null, ...mei },
      lena.cookie,
    )
    expect(sent.status).toBe(200)
    const path = await newestLink()
    expect((await open(path)).statusCode).toBe(200)
    await run(teamCommands.changeRole, {
      accountId: lena.accountId,
      seenRole: 'owner',
      role: 'advisor',
    })
    expect((await submit(path)).statusCode).toBe(404)
  })

  it('for an existing account resets the password and ends the sessions of that account', async () => {
    const { accountId, cookie: former, username } = await join()
    await invite({ accountId })
    const path = await newestLink()
    const renewed = await submit(path, { password: 'another long password' })
    expect(renewed.body).toContain('You have joined, ')
    expect(await whoIs(former)).toMatchObject({ ok: false })
    expect((await post('/api/admin/login', { username, password }, '')).status).toBe(401)
    const again = { username, password: 'another long password' }
    expect((await post('/api/admin/login', again, '')).status).toBe(200)
    expect(await accounts()).toHaveLength(2)
  })
})

describe('deactivating a team member', () => {
  it('invalidates cookies, access tokens, refresh tokens and the password, and ends live streams within five seconds', async () => {
    const { accountId, cookie: theirs, username } = await join()
    const client = await shop.createClient()
    const email = staffEmail(username)
    const grant = await client.auth.signInWithPassword({ email, password })
    expect(grant.error).toBeNull()
    expect((await client.from('tasks').select('id')).error).toBeNull()
    const origin = await shop.listen()
    const stream = await fetch(`${origin}/api/admin/live`, { headers: { cookie: theirs } })
    expect(stream.status).toBe(200)

    expect((await run(teamCommands.switchOff, { accountId, giveTasksTo: null })).status).toBe(200)
    const switchedOffAt = Date.now()
    expect(await whoIs(theirs)).toMatchObject({ ok: false })
    expect((await client.from('tasks').select('id')).status).toBe(401)
    const refresh_token = grant.data.session?.refresh_token ?? ''
    expect((await client.auth.refreshSession({ refresh_token })).error).not.toBeNull()
    const again = await client.auth.signInWithPassword({ email, password })
    expect(again.error?.message).toBe('Invalid login credentials')
    expect((await post('/api/admin/login', { username, password }, '')).status).toBe(401)
    await stream.text()
    expect(Date.now() - switchedOffAt).toBeLessThan(5_000)
    expect(await owner('select from auth.sessions where user_id = $1', [accountId])).toEqual([])
  })

  it('assigns the member’s open tasks to the employee named in the request; after a reactivation, the member can sign in again', async () => {
    const one = await join()
    const two = await join({ name: 'Ben Novak', email: 'ben@example.com', role: 'technician' })
    await owner(
      `insert into public.tasks (title, assigned_to, status, completed_at)
       values ('open', $1, 'pending', null), ('done', $1, 'completed', now())`,
      [one.employeeId],
    )
    const outcome = await run(teamCommands.switchOff, {
      accountId: one.accountId,
      giveTasksTo: two.employeeId,
    })
    expect(outcome.body).toEqual({ ok: true, result: { givenTasks: 1 } })
    expect(await owner('select title, assigned_to from public.tasks order by title')).toEqual([
      { title: 'done', assigned_to: one.employeeId },
      { title: 'open', assigned_to: two.employeeId },
    ])
    await run(teamCommands.switchOn, { accountId: one.accountId })
    const signedIn = await post('/api/admin/login', { username: one.username, password }, '')
    expect(signedIn.status).toBe(200)
  })

  it('leaves one active owner when two owners deactivate each other at the same time', async () => {
    const [self] = await owner<{ user_id: string }>(
      `select user_id from public.staff_accounts where username = 'admin'`,
    )
    await owner(`update public.staff_accounts set role = 'advisor' where username = 'ana'`)
    const lena = await join({ name: 'Lena', email: 'lena@example.com', role: 'owner' })
    const outcomes = await Promise.all([
      run(teamCommands.switchOff, { accountId: lena.accountId, giveTasksTo: null }),
      run(teamCommands.switchOff, { accountId: self?.user_id, giveTasksTo: null }, lena.cookie),
    ])
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    const active = await owner(
      `select from public.staff_accounts where role = 'owner' and is_active`,
    )
    expect(active).toHaveLength(1)
    await owner(`update public.staff_accounts set is_active = true, role = 'owner'`)
  })
})

describe('the role of a team member', () => {
  it('takes effect immediately when changed, and a lower role revokes the recent password confirmation', async () => {
    const one = await join({ role: 'technician' })
    const change = (seenRole: string, role: string) =>
      run(teamCommands.changeRole, { accountId: one.accountId, seenRole, role })
    expect((await change('technician', 'owner')).status).toBe(200)
    expect(await whoIs(one.cookie)).toMatchObject({ role: 'owner' })
    expect((await change('technician', 'advisor')).body).toMatchObject({ code: 'TEAM_CHANGED' })
    await post('/api/admin/confirm-password', { password }, one.cookie)
    const isConfirmed = () =>
      owner(
        'select confirmed_until is not null as confirmed from internal.admin_sessions where user_id = $1',
        [one.accountId],
      )
    expect(await isConfirmed()).toEqual([{ confirmed: true }])
    expect((await change('owner', 'technician')).status).toBe(200)
    expect(await whoIs(one.cookie)).toMatchObject({ role: 'technician' })
    expect(await isConfirmed()).toEqual([{ confirmed: false }])
  })

  it('can be changed, and an owner can be invited, only after a recent password confirmation', async () => {
    const one = await join()
    const fresh = await shop.logIn()
    const role = { accountId: one.accountId, seenRole: 'advisor', role: 'owner' }
    expect((await run(teamCommands.changeRole, role, fresh)).body).toMatchObject({
      code: 'STEP_UP_REQUIRED',
    })
    const asOwner = {
      ...mei,
      invitationId: randomUUID(),
      accountId: null,
      email: 'second@example.com',
      role: 'owner',
    }
    for (const command of [teamCommands.invite, teamCommands.inviteOwner]) {
      expect((await run(command, asOwner, fresh)).body).toMatchObject({
        code: 'STEP_UP_REQUIRED',
      })
    }
    expect(
      await owner(`select from public.staff_invitations where email = 'second@example.com'`),
    ).toEqual([])
  })

  it.each(['advisor', 'technician'])(
    'does not permit changes to the team if it is %s',
    async (role) => {
      const one = await join({ role })
      const accountId = one.accountId
      const inputs = {
        invite: { invitationId: randomUUID(), accountId: null, ...mei, email: 'x@example.com' },
        inviteOwner: { invitationId: randomUUID(), accountId: null, ...mei, role: 'owner' },
        sendAgain: { invitationId: randomUUID() },
        takeBack: { invitationId: randomUUID() },
        changeRole: { accountId, seenRole: role, role: 'owner' },
        rename: { accountId, name: 'Boss' },
        switchOff: { accountId, giveTasksTo: null },
        switchOn: { accountId },
      }
      for (const [name, command] of Object.entries(teamCommands)) {
        const outcome = await run(command, inputs[name as keyof typeof inputs], one.cookie)
        expect([name, outcome.status]).toEqual([name, 403])
      }
      const client = await shop.createClient()
      await client.auth.signInWithPassword({ email: staffEmail(one.username), password })
      const update = await client
        .from('staff_accounts')
        .update({ role: 'owner' })
        .eq('user_id', accountId)
      expect(update.error?.code).toBe('42501')
      expect((await client.from('staff_invitations').select('id')).error?.code).toBe('42501')
      for (const procedure of ['switch_staff_off', 'switch_staff_on']) {
        const call = await client.rpc(procedure, {
          account_id: accountId,
          ...(procedure === 'switch_staff_off' && { give_tasks_to: null }),
        })
        expect(call.error?.code).toBe('42501')
      }
    },
  )

  it('does not change when the team member is renamed, and the employee record gets the new name', async () => {
    const one = await join()
    await run(teamCommands.rename, { accountId: one.accountId, name: 'Mei Tanaka' })
    expect(await accounts()).toContainEqual(
      expect.objectContaining({ username: 'mei', name: 'Mei Tanaka', role: 'advisor' }),
    )
    expect(await owner('select name from public.employees')).toEqual([{ name: 'Mei Tanaka' }])
  })
})
