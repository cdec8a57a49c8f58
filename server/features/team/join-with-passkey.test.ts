import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinEndpoints } from '#contracts/join.ts'
import { teamCommands } from '#contracts/team.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { createPasskeyBrowser } from '#tests/support/app/passkey-browser.ts'
import { createSoftwareAuthenticator } from '#tests/support/app/software-authenticator.ts'

type Options = Parameters<ReturnType<typeof createSoftwareAuthenticator>['register']>[0]

let shop: TestApp
let ownerCookie = ''
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.owner.query(
    `delete from internal.passkeys; delete from public.staff_invitations;
     delete from public.staff_accounts where username not in ('admin', 'ana');
     delete from public.employees; delete from public.emails;
     delete from auth.users where email <> '${staffEmail(testAdmin.username)}'`,
  )
  ownerCookie = await shop.logInConfirmed()
})

const rows = async (sql: string) => (await shop.database.owner.query(sql)).rows
const countUsers = async () => (await rows('select from auth.users')).length

/** Invites an advisor, or resets the password of an account. Returns the invitation and the token of its link. */
async function invite(email = 'mei@example.com', accountId: string | null = null) {
  const invitationId = randomUUID()
  const input = { invitationId, accountId, name: 'Mei Kato', email, role: 'advisor' }
  await run(teamCommands.invite, input)
  const { rows: emails } = await shop.database.owner.query<{ text: string }>(
    'select text_body as text from public.emails order by created_at desc limit 1',
  )
  return { invitationId, token: /\/join\/([\w-]{43})/.exec(emails[0]?.text ?? '')?.[1] ?? '' }
}

async function run({ path: url }: { readonly path: string }, input: object): Promise<void> {
  const payload = { commandId: randomUUID(), input }
  const headers = { cookie: ownerCookie }
  const sent = await shop.inject({ method: 'POST', url, payload, headers })
  expect(sent.json()).toMatchObject({ ok: true })
}

const createBrowser = () => createPasskeyBrowser(shop)
type Browser = ReturnType<typeof createBrowser>

const start = (browser: Browser, token: string) => browser.post(joinEndpoints.start.path, { token })
const optionsOf = async (browser: Browser, token: string) =>
  (await start(browser, token)).json<{ options: Options }>().options
const finish = (browser: Browser, token: string, answer: object) =>
  browser.post(joinEndpoints.finish.path, { token, name: 'Phone of Mei', answer })

const invalid = { status: 404, body: { ok: false, code: 'INVITATION_INVALID' } }
const refusal = { status: 400, body: { ok: false, code: 'PASSKEY_REFUSED' } }
const shownOf = (response: Awaited<ReturnType<typeof finish>>) => ({
  status: response.statusCode,
  body: response.json<object>(),
})

describe('an invitation that is accepted with a passkey', () => {
  it('creates the account with its passkey and without a password, requires no authenticator app, and signs the new team member in', async () => {
    const { token } = await invite()
    const browser = createBrowser()
    const device = createSoftwareAuthenticator()
    const answer = device.register(await optionsOf(browser, token))
    const response = await finish(browser, token, answer)
    expect([response.statusCode, response.json()]).toEqual([200, { ok: true }])
    const { value = '' } = response.cookies.find(({ name }) => name === 'admin_session') ?? {}
    const me = await shop.inject({
      url: '/api/admin/me',
      headers: { cookie: `admin_session=${value}` },
    })
    expect(me.json()).toMatchObject({ ok: true, user: { username: 'mei' }, role: 'advisor' })
    expect(me.json()).not.toHaveProperty('needsCodeApp')
    expect(
      await rows(
        `select account.username, account.role, account.email, passkey.name, internal.has_password(user_id) as has_password
         from public.staff_accounts account join internal.passkeys passkey using (user_id)`,
      ),
    ).toEqual([
      {
        username: 'mei',
        role: 'advisor',
        email: 'mei@example.com',
        name: 'Phone of Mei',
        has_password: false,
      },
    ])
    expect((await createBrowser().signIn(device)).statusCode).toBe(200)
    const signedIn = await createBrowser().post('/api/admin/login', {
      username: 'mei',
      password: 'null',
    })
    expect(signedIn.json()).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(shownOf(await finish(browser, token, answer))).toMatchObject(invalid)
  })

  it('refuses every wrong passkey response in the same way, creates no account, and stays open', async () => {
    const { token } = await invite()
    const other = await invite('other@example.com')
    const users = await countUsers()
    const device = createSoftwareAuthenticator()
    const browser = createBrowser()
    const refused = []
    for (const claims of [
      { origin: 'https://other.example' },
      { rpId: 'other.example' },
      { isUserVerified: false },
    ]) {
      const answer = device.register(await optionsOf(browser, token), claims)
      refused.push(await finish(browser, token, answer))
    }
    const ofOtherBrowser = device.register(await optionsOf(createBrowser(), token))
    refused.push(await finish(browser, token, ofOtherBrowser))
    const ofOtherInvitation = device.register(await optionsOf(browser, other.token))
    refused.push(await finish(browser, token, ofOtherInvitation))
    const options = await optionsOf(browser, token)
    await finish(browser, token, device.register(options, { isUserVerified: false }))
    // The server accepts one response to each challenge. After the wrong response, it therefore also refuses a correct
    // response to the same challenge.
    refused.push(await finish(browser, token, device.register(options)))
    const old = device.register(await optionsOf(browser, token))
    await shop.database.owner.query('update internal.passkey_challenges set expires_at = now()')
    refused.push(await finish(browser, token, old))
    refused.push(await finish(browser, token, {}))
    expect(new Set(refused.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(refused.flatMap(({ cookies }) => cookies)).toEqual([])
    for (const each of refused) expect(shownOf(each)).toMatchObject(refusal)
    expect(await countUsers()).toBe(users)
    expect((await start(browser, token)).statusCode).toBe(200)
  })

  it('is refused with the same response when its link was used, revoked or replaced, has expired, or is for an existing account', async () => {
    const used = await invite()
    const browser = createBrowser()
    const device = createSoftwareAuthenticator()
    await finish(browser, used.token, device.register(await optionsOf(browser, used.token)))
    const [account] = await shop.database.owner
      .query<{ user_id: string }>(
        `select user_id from public.staff_accounts where username = 'mei'`,
      )
      .then((result) => result.rows)
    const renewal = await invite('mei@example.com', account?.user_id ?? '')
    const expired = await invite('two@example.com')
    await shop.database.owner.query(
      'update public.staff_invitations set expires_at = now() where id = $1',
      [expired.invitationId],
    )
    const revoked = await invite('three@example.com')
    await run(teamCommands.takeBack, { invitationId: revoked.invitationId })
    const replaced = await invite('four@example.com')
    await run(teamCommands.sendAgain, { invitationId: replaced.invitationId })
    const tokens = [used, renewal, expired, revoked, replaced].map(({ token }) => token)
    const responses = []
    for (const token of [...tokens, 'A'.repeat(43)]) {
      const answer = createSoftwareAuthenticator().register({ challenge: 'A', user: { id: 'A' } })
      responses.push(await start(browser, token), await finish(browser, token, answer))
    }
    expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    for (const each of responses) expect(shownOf(each)).toMatchObject(invalid)
  })

  it('creates neither an account nor a user when another account has the passkey', async () => {
    const first = await invite()
    const browser = createBrowser()
    const device = createSoftwareAuthenticator()
    await finish(browser, first.token, device.register(await optionsOf(browser, first.token)))
    const second = await invite('two@example.com')
    const users = await countUsers()
    const answer = device.register(await optionsOf(browser, second.token))
    expect((await finish(browser, second.token, answer)).statusCode).toBe(404)
    expect(await countUsers()).toBe(users)
    expect(await rows(`select from public.staff_accounts where email = 'two@example.com'`)).toEqual(
      [],
    )
    expect((await start(browser, second.token)).statusCode).toBe(200)
  })

  it('creates one account when two devices respond at the same time', async () => {
    const { token } = await invite()
    const users = await countUsers()
    const answers = await Promise.all(
      [createBrowser(), createBrowser()].map(async (browser) => {
        const answer = createSoftwareAuthenticator().register(await optionsOf(browser, token))
        return { browser, answer }
      }),
    )
    const responses = await Promise.all(
      answers.map(({ browser, answer }) => finish(browser, token, answer)),
    )
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await countUsers()).toBe(users + 1)
    expect(await rows('select from internal.passkeys')).toHaveLength(1)
  })
})
