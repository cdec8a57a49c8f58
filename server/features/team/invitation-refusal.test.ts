import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { teamCommands } from '#contracts/team.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { countedPasswords, expectOneRefusal } from '#tests/support/app/measured-requests.ts'

let shop: TestApp
let cookie = ''
let invalidPaths: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  shop = await createTestApp({ passwords: countedPasswords })
  cookie = await shop.logInConfirmed()
  const used = await invite()
  const { statusCode } = await submit(used.path)
  if (statusCode !== 200) throw new Error(`The invitation was not accepted: ${statusCode}`)
  const expired = await invite()
  await shop.database.owner.query(
    'update public.staff_invitations set expires_at = now() where id = $1',
    [expired.invitationId],
  )
  const takenBack = await invite()
  await run(teamCommands.takeBack, { invitationId: takenBack.invitationId })
  const replaced = await invite()
  await run(teamCommands.sendAgain, { invitationId: replaced.invitationId })
  invalidPaths = {
    'a used link': used.path,
    'an expired link': expired.path,
    'a revoked link': takenBack.path,
    'a replaced link': replaced.path,
    'an invented link': `/join/${'A'.repeat(43)}`,
    'a malformed token': '/join/x',
  }
})
afterAll(() => shop.close())
beforeEach(() => shop.database.owner.query('delete from internal.rate_limits'))

async function run({ path: url }: { readonly path: string }, input: object): Promise<void> {
  const payload = { commandId: randomUUID(), input }
  const response = await shop.inject({ method: 'POST', url, payload, headers: { cookie } })
  expect(response.json()).toMatchObject({ ok: true })
}

/** Invites an advisor. Returns the invitation id and the path of the link in the invitation email. */
async function invite() {
  const invitationId = randomUUID()
  const email = `${invitationId}@example.com`
  const advisor = { name: 'Mei Kato', email, role: 'advisor' }
  await run(teamCommands.invite, { invitationId, accountId: null, ...advisor })
  const { rows } = await shop.database.owner.query<{ text: string }>(
    'select text_body as text from public.emails where recipient_email = $1',
    [email],
  )
  const path = /\/join\/[\w-]{43}/.exec(rows[0]?.text ?? '')?.[0]
  if (path === undefined) throw new Error('The invitation has no link')
  return { invitationId, path }
}

/** Submits a password as the form of the invitation page does. */
const submit = (path: string) =>
  shop.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams({ password: 'a long password of Mei' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  })

const requestsOf = (send: (path: string) => ReturnType<typeof submit>) =>
  Object.fromEntries(Object.entries(invalidPaths).map(([name, path]) => [name, () => send(path)]))

it('Every kind of invalid invitation link gets the same response, at the same cost, when the page is opened', async () => {
  const refusal = await expectOneRefusal(requestsOf((path) => shop.inject({ url: path })))
  expect(refusal).toMatchObject({ status: 404, hashes: 0 })
  expect(refusal.body).toContain('This invitation is not valid.')
})

it('Every kind of invalid invitation link gets the same response, at the same cost, when the form is submitted', async () => {
  const refusal = await expectOneRefusal(requestsOf(submit))
  expect(refusal).toMatchObject({ status: 404, hashes: 0 })
  expect(refusal.body).toContain('This invitation is not valid.')
})
