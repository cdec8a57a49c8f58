import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig, settingNames } from './config.ts'

function configOf(environment: Record<string, string>) {
  const config = readConfig(environment)
  if (!config.ok) throw new Error(config.refusal.join('\n'))
  return config.value
}

describe('the settings of the environment', () => {
  it('are all optional, with defaults for a shop on one machine', () => {
    expect(configOf({})).toMatchObject({
      environment: 'development',
      publicUrl: 'http://localhost:3000',
      payments: { mode: 'dashboard', otherwise: 'sandbox' },
      trustProxy: false,
      rateLimits: 'enforced',
    })
  })

  it('are all explained in .env.example', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
    const explained = [...example.matchAll(/^# ([A-Z\d_]+)=/gm)].map(([, name]) => name)
    expect(new Set(explained)).toEqual(new Set(settingNames))
  })

  it('count as unset when they are empty', () => {
    expect(configOf({ PORT: '', PUBLIC_URL: ' ', TRUST_PROXY: '' })).toEqual(configOf({}))
  })

  it('use Stripe for payments when both Stripe secrets are set', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    const payments = { mode: 'stripe', secretKey: 'sk_live_1', webhookSecret: 'whsec_1' }
    expect(configOf(stripe).payments).toEqual(payments)
    expect(configOf({ ...stripe, PAYMENTS: 'sandbox' }).payments).toEqual({ mode: 'sandbox' })
  })

  it('use the Stripe sandbox when no payment settings are present, but in production only if PAYMENTS requests it', () => {
    const production = { NODE_ENV: 'production' }
    const paymentsOf = (given: Record<string, string>) => configOf(given).payments
    expect(paymentsOf({})).toEqual({ mode: 'dashboard', otherwise: 'sandbox' })
    expect(paymentsOf(production)).toEqual({ mode: 'dashboard', otherwise: 'not_set_up' })
    expect(paymentsOf({ ...production, PAYMENTS: 'sandbox' })).toEqual({ mode: 'sandbox' })
  })

  it('accept 32 bytes as the key for secrets, and refuse every other value without repeating it in the error', () => {
    const key = Buffer.alloc(32, 7)
    expect(configOf({}).secretsKey).toBeUndefined()
    expect(configOf({ SECRETS_KEY: key.toString('hex') }).secretsKey).toEqual(key)
    expect(configOf({ SECRETS_KEY: ` ${key.toString('base64')} ` }).secretsKey).toEqual(key)
    expect(readConfig({ SECRETS_KEY: 'too-short' })).toEqual({
      ok: false,
      refusal: ['SECRETS_KEY: must be 32 bytes, as 64 hexadecimal digits or as base64'],
    })
  })

  it('accept IP addresses, networks and network names as trusted proxies', () => {
    const { trustProxy } = configOf({ TRUST_PROXY: ' 127.0.0.1, ::1,10.0.0.0/8 ,loopback,' })
    expect(trustProxy).toEqual(['127.0.0.1', '::1', '10.0.0.0/8', 'loopback'])
  })

  it('remove the slash at the end of a URL', () => {
    expect(configOf({ PUBLIC_URL: 'https://shop.example/' }).publicUrl).toBe('https://shop.example')
  })

  it('switch on the continuous backup when they name a folder or a bucket', () => {
    expect(configOf({}).backup).toBeUndefined()
    expect(configOf({ BACKUP_URL: 'file:///mnt/backup/' }).backup).toEqual({
      url: 'file:///mnt/backup',
      keepDays: 30,
      spoolMegabytes: 2000,
      drillAt: '03:10',
    })
    const managed = { DATABASE_URL: 'postgresql://db.example/shop' }
    expect(configOf({ BACKUP_URL: 'file:///mnt/backup', ...managed }).backup).toBeDefined()
    const hosted = {
      ...managed,
      SUPABASE_URL: 'https://project.supabase.example',
      SUPABASE_ANON_KEY: 'an-anon-key',
      SUPABASE_SERVICE_ROLE_KEY: 'a-service-key',
    }
    expect(configOf({ BACKUP_URL: 'file:///mnt/backup', ...hosted }).backup).toBeDefined()
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
    const bucket = configOf({ BACKUP_URL: 's3://bucket', BACKUP_S3_PATH_STYLE: 'yes', ...keys })
    expect(bucket.s3).toMatchObject({ isPathStyle: true, accessKeyId: 'key', region: 'us-east-1' })
  })

  it.each<[name: string, environment: Record<string, string>]>([
    ['PORT', { PORT: '99999' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'shop.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://shop.example/garage' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://shop@db.example/shop' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.300' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['ADMIN_USERNAME', { ADMIN_USERNAME: 'anna lee' }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['STRIPE_SECRET_KEY', { PAYMENTS: 'stripe', STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_live_1' }],
    ['INVOICE_LOOKUP', { INVOICE_LOOKUP: 'number-and-email' }],
    ['RATE_LIMITS', { NODE_ENV: 'production', PAYMENTS: 'sandbox', RATE_LIMITS: 'off' }],
    [
      'DATABASE_URL',
      {
        SUPABASE_URL: 'https://project.supabase.example',
        SUPABASE_ANON_KEY: 'an-anon-key',
        SUPABASE_SERVICE_ROLE_KEY: 'a-service-key',
      },
    ],
    ['BACKUP_URL', { BACKUP_URL: 'https://backup.example' }],
    ['BACKUP_URL', { BACKUP_URL: 'file://mnt/backup' }],
    ['BACKUP_URL', { BACKUP_URL: 's3://KEY:SECRET@bucket' }],
    ['BACKUP_URL', { BACKUP_URL: 'file:///mnt/backup  # or s3://bucket' }],
    ['AWS_SECRET_ACCESS_KEY', { BACKUP_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'key' }],
    ['BACKUP_DRILL_AT', { BACKUP_URL: 'file:///mnt/backup', BACKUP_DRILL_AT: '25:00' }],
  ])('are refused by name when they are invalid: %s of %o', (name, environment) => {
    const config = readConfig(environment)
    expect(config.ok ? [] : config.refusal.map((problem) => problem.split(':')[0])).toEqual([name])
  })

  it('are all reported in one error when they are invalid, without their values', () => {
    const config = readConfig({ PORT: 'x', ADMIN_USERNAME: 'a secret', LOG_LEVEL: 'loud' })
    const problems = config.ok ? [] : config.refusal
    expect(problems).toHaveLength(3)
    expect(problems.join()).not.toMatch(/secret|loud/)
  })
})
