import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { findWarnings } from './find-warnings.ts'

const config = {
  environment: 'production',
  publicUrl: 'https://shop.example',
  trustProxy: ['127.0.0.1'] as string[],
  backup: { url: 's3://bucket', keepDays: 30, spoolMegabytes: 2000, drillAt: '03:10' },
  hosted: undefined,
  dataDirectory: tmpdir(),
} as const
const emails = {
  mode: 'smtp',
  waiting: 0,
  oldestWaitingMinutes: 0,
  failed: 0,
  withheld: 0,
} as const

describe('the warnings for the owner', () => {
  it('are empty for a correctly configured shop', () => {
    expect(
      findWarnings({ config, paymentMode: 'stripe', openTestInvoices: 0, emails, jobs: [] }),
    ).toEqual([])
  })

  it.each([
    [/Test invoices of the sandbox are still open \(2\)/, { openTestInvoices: 2 }],
    [/no money moves/, { paymentMode: 'sandbox' }],
    [/Payments are not set up/, { paymentMode: 'not_set_up' }],
    [/Emails are not sent.*Settings > Email.*SMTP_URL/, { emails: { ...emails, mode: 'outbox' } }],
    [/3 emails in the queue/, { emails: { ...emails, waiting: 3, oldestWaitingMinutes: 30 } }],
    [/2 emails .* could not be delivered/, { emails: { ...emails, failed: 2 } }],
    [/2 emails to visitors not sent/, { emails: { ...emails, withheld: 2 } }],
    [/does not begin with https/, { config: { ...config, publicUrl: 'http://shop.example' } }],
    [/TRUST_PROXY/, { config: { ...config, trustProxy: false } }],
    [/Backups are not set up/, { config: { ...config, backup: undefined } }],
    [
      /only the backups of the hosted Supabase project/,
      {
        config: {
          ...config,
          backup: undefined,
          hosted: { url: 'https://project.supabase.example', serviceRoleKey: 'x' },
        },
      },
    ],
    [
      /The backup is on the disk of DATA_DIR/,
      { config: { ...config, backup: { ...config.backup, url: pathToFileURL(tmpdir()).href } } },
    ],
    [
      /The last run of the job send-emails failed/,
      {
        jobs: [
          {
            name: 'send-emails',
            runs: 2,
            failures: 1,
            lastEndedAt: null,
            lastFailed: true,
            lastMs: 1,
          },
        ],
      },
    ],
  ] as const)(
    'include a warning that matches %s when the configuration or the state is changed accordingly',
    (text, change) => {
      const found = findWarnings({
        config,
        paymentMode: 'stripe',
        openTestInvoices: 0,
        emails,
        jobs: [],
        ...change,
      })
      expect(found).toEqual([expect.stringMatching(text)])
    },
  )
})

describe('the operations report', () => {
  let shop: TestApp
  const lines: string[] = []
  beforeAll(async () => {
    shop = await createTestApp({
      config: { environment: 'production', logLevel: 'info' },
      logStream: { write: (line) => void lines.push(line) },
    })
    await shop.database.owner.query(
      `insert into emails (kind, dedupe_key, recipient_email, subject, html_body, text_body, status, created_at, next_attempt_at)
       values ('owner_notice', 'a', 'a@example.com', 'A', 'a', 'a', 'failed', now(), now()),
              ('owner_notice', 'b', 'b@example.com', 'B', 'b', 'b', 'retrying', now() - interval '2 hours', now() + interval '1 hour')`,
    )
    await shop.database.owner.query(
      `insert into internal.visitor_emails (dedupe_key, mailbox_digest, is_flagged, exceeded_limit)
       values ('quote:1', '', false, 'site'), ('quote:2', '', false, 'mailbox'), ('quote:3', '', false, null)`,
    )
  })
  afterAll(() => shop.close())

  it('is returned to admins only', async () => {
    expect((await shop.inject({ url: '/api/operations' })).statusCode).toBe(401)
  })

  it('contains email counts, response times, job runs and warnings', async () => {
    const cookie = await shop.logIn()
    const response = await shop.inject({ url: '/api/operations', headers: { cookie } })
    expect(response.json()).toMatchObject({
      ok: true,
      emails: { mode: 'outbox', waiting: 1, oldestWaitingMinutes: 120, failed: 1, withheld: 1 },
      process: { responses: { '2xx': expect.any(Number), '4xx': 1 } },
      jobs: [],
      warnings: expect.arrayContaining([
        expect.stringMatching(/^1 email of the last seven days could/),
      ]),
    })
  })

  it('has its warnings logged at the start in production, without customer data', async () => {
    await vi.waitFor(() => expect(lines.join('')).toMatch(/"level":"warn".*no money moves/))
    expect(lines.join('')).not.toMatch(/example\.com/)
  })
})
