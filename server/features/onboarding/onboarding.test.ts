import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OnboardingStep, onboardingEndpoints } from '#contracts/onboarding.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { openAuth } from '@local/data-service'
import { ensureAdmin } from '#server/features/admin-session/accounts/ensure-admin.ts'
import { openAuthGateway } from '#server/features/admin-session/gateway/open-auth-gateway.ts'
import { setAdminPassword } from '#server/features/admin-session/accounts/set-admin-password.ts'
import { addTestAccount, createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'

let shop: TestApp
let cookie: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  cookie = await shop.logIn()
})
afterAll(() => shop.close())

const { read, hide, confirm } = onboardingEndpoints
const readOnboarding = async (app = shop, headers = { cookie }) =>
  read.response.parse((await app.inject({ url: read.path, headers })).json())
const doneSteps = async () =>
  ((await readOnboarding()).steps ?? []).filter(({ isDone }) => isDone).map(({ id }) => id)
const post = (url: string, payload: object) =>
  shop.inject({ method: 'POST', url, headers: { cookie }, payload })
const asAdmin = (sql: string) =>
  shop.database.database.transaction(admin, (query) => query.unchecked(sql))

describe('the setup steps of a new shop', () => {
  it('are listed in order; the only step that is done at first is the password, if the owner chose one', async () => {
    const { steps, ...rest } = await readOnboarding()
    expect(steps?.map(({ id }) => id)).toEqual<OnboardingStep[]>([
      'shop',
      'hours',
      'bays',
      'services',
      'labor',
      'tax',
      'registration',
      'email',
      'payments',
      'password',
    ])
    expect(await doneSteps()).toEqual(['password'])
    expect(rest).toEqual({
      ok: true,
      isHidden: false,
      hasSampleWeek: false,
      canFillSampleWeek: true,
      canSendEmail: false,
    })
  })

  it('are not done when the owner saves the fictional default values unchanged', async () => {
    await asAdmin(`update public.shop set name = name, street = street, phone = phone;
      update public.estimate_rules set labor_rate_cents = labor_rate_cents, registration_number = registration_number;
      update public.tax_rates set rate = rate;
      select public.save_bay(id, name, true, '{}', (select version from public.settings_versions where section = 'bays'))
      from public.bays`)
    expect(await doneSteps()).toEqual(['password'])
  })

  it('include the shop step, which is done once no name, street, phone number or email address is a default', async () => {
    await asAdmin(`update public.shop set name = 'Cedar Motors', legal_name = 'Cedar Motors LLC', street = '7 Cedar Way',
      phone = '+14155550101', billing_phone = '+14155550102', support_email = 'a@cedar.example',
      billing_email = 'b@cedar.example'`)
    expect(await doneSteps()).toEqual(['password'])
    await asAdmin(`update public.shop set booking_email = 'c@cedar.example'`)
    expect(await doneSteps()).toEqual(['shop', 'password'])
  })

  it('for bays, labor rate, sales tax and registration are done once the owner entered a value', async () => {
    await asAdmin(`update public.estimate_rules set registration_number = 'ARD00312345'`)
    expect(await doneSteps()).toEqual(['shop', 'registration', 'password'])
    await asAdmin(`update public.estimate_rules set labor_rate_cents = 16000`)
    await asAdmin(
      `insert into public.tax_rates (effective_from, rate) values ('2026-11-01', 93750)`,
    )
    expect(await doneSteps()).toEqual(['shop', 'labor', 'tax', 'registration', 'password'])
    await asAdmin(`select public.save_bay(null, 'Alignment rack', true, '{}',
      (select version from public.settings_versions where section = 'bays'))`)
    expect(await doneSteps()).toEqual(['shop', 'bays', 'labor', 'tax', 'registration', 'password'])
  })

  it('are done when the owner changed the settings section or confirmed its defaults', async () => {
    await asAdmin(`select public.save_special_hours(null, '2026-12-25', '2026-12-26', false, null, 'Christmas', true,
      (select version from public.settings_versions where section = 'closures'))`)
    expect(await doneSteps()).toContain('hours')
    const confirmed = confirm.response.parse(
      (await post(confirm.path, { step: 'services' })).json(),
    )
    expect(confirmed.steps?.find(({ id }) => id === 'services')).toEqual({
      id: 'services',
      isDone: true,
    })
    await post(confirm.path, { step: 'services' })
    expect(await doneSteps()).toHaveLength(8)
  })

  it.each([{ step: 'payments' }, { step: 'nonsense' }, {}])(
    'are not confirmed by an invalid request: %j',
    async (body) => {
      expect((await post(confirm.path, body)).statusCode).toBe(400)
    },
  )

  it('can be confirmed by an advisor only if advisors may change the settings of the step, and hidden by owners only', async () => {
    await addStaffAccount(shop, 'an-advisor', 'advisor')
    const { cookie: own } = await signInAs(shop, 'an-advisor')
    const send = (url: string, payload: object) =>
      shop.inject({ method: 'POST', url, headers: { cookie: own }, payload })
    for (const step of ['labor', 'tax']) {
      expect((await send(confirm.path, { step })).json()).toMatchObject({ code: 'NOT_ALLOWED' })
    }
    expect((await send(hide.path, { isHidden: true })).json()).toMatchObject({
      code: 'NOT_ALLOWED',
    })
    for (const step of ['hours', 'bays', 'services']) {
      expect((await send(confirm.path, { step })).statusCode).toBe(200)
    }
    expect((await readOnboarding()).isHidden).toBe(false)
  })

  it('are not returned while the owner has hidden the list of steps', async () => {
    const hidden = hide.response.parse((await post(hide.path, { isHidden: true })).json())
    expect(hidden).toMatchObject({ isHidden: true, steps: null, canFillSampleWeek: false })
    await post(hide.path, { isHidden: false })
    expect(await doneSteps()).toHaveLength(8)
  })

  it('are not listed again after all of them were done', async () => {
    const done = await createTestApp({
      config: { payments: { mode: 'stripe', secretKey: 'sk_test_x', webhookSecret: 'whsec_x' } },
      mailTransport: createSmtpTransport('smtp://127.0.0.1:1'),
    })
    const headers = { cookie: await done.logIn() }
    expect(await readOnboarding(done, headers)).toMatchObject({
      canFillSampleWeek: false,
      canSendEmail: true,
    })
    await done.database.owner.query(
      `update shop set name = 'Cedar Motors', legal_name = 'Cedar Motors LLC', street = '7 Cedar Way',
         phone = '+14155550101', billing_phone = '+14155550102', support_email = 'a@cedar.example',
         billing_email = 'b@cedar.example', booking_email = 'c@cedar.example';
       update internal.onboarding set confirmed_steps = '{bays,labor,tax}';
       update estimate_rules set registration_number = 'ARD00312345'; update services set price_from_cents = 4900 where name = 'Oil Change';
       update opening_hours set closes_minute = 1200 where weekday = 0`,
    )
    expect(await readOnboarding(done, headers)).toMatchObject({ steps: null, isHidden: false })
    await done.database.owner.query('update internal.onboarding set has_first_password = true')
    expect((await readOnboarding(done, headers)).steps).toBeNull()
    await done.close()
  })
})

describe('the generated first password', () => {
  it('leaves the password step open until the first account has another password; the password of an invited account does not count', async () => {
    const fresh = await createTestApp()
    const { config, database } = fresh
    await database.owner.query('delete from auth.users')
    const ensured = await ensureAdmin(
      { database: database.database, keys: testKeys },
      config,
      fastPasswords,
    )
    const isFirst = async () => {
      const { rows } = await database.owner.query(
        'select has_first_password from internal.onboarding',
      )
      return rows
    }
    expect(ensured?.generatedPassword).toBeTruthy()
    const invited = { username: 'mei', password: 'a password of Mei', role: 'advisor' } as const
    await addTestAccount(database, invited)
    await database.owner.query(
      `with employee as (insert into employees (name, email) values ('Mei', 'mei@example.com') returning id)
       update staff_accounts set employee_id = (select id from employee) where username = 'mei'`,
    )
    expect(await isFirst()).toEqual([{ has_first_password: true }])
    const auth = await openAuth({
      database: database.database,
      keys: testKeys,
      now: Date.now,
      publicUrl: config.publicUrl,
      passwords: fastPasswords,
    })
    const gateway = openAuthGateway(config, auth)
    await setAdminPassword({ database: database.database, gateway }, invited.username, 'a new one')
    expect(await isFirst()).toEqual([{ has_first_password: true }])
    await setAdminPassword({ database: database.database, gateway }, 'admin', 'a longer password')
    expect(await isFirst()).toEqual([{ has_first_password: false }])
    await fresh.close()
  })
})
