import { expect, test } from 'vitest'
import { findViolations } from './boundaries.ts'

const violationsOf = (path: string, specifier: string) =>
  findViolations([{ path, imports: [specifier] }])

test.each([
  ['domain/money/money.ts', 'zod/mini'],
  ['domain/money/money.ts', 'node:fs'],
  ['domain/money/money.ts', '#contracts/errors.ts'],
  ['contracts/api/errors.ts', '#server/config.ts'],
  ['emails/invoices/invoice.ts', '#server/features/emails/queue-email.ts'],
  ['emails/invoices/invoice.ts', 'nodemailer'],
  ['web/features/booking/wizard.tsx', '#server/config.ts'],
  ['web/features/booking/wizard.tsx', '#web/features/payment/pay.tsx'],
  ['web/ui/button/button.tsx', '#web/features/booking/wizard.tsx'],
  ['web/lib/data/call-api.ts', '#web/pages/home.tsx'],
  ['web/site/pages/privacy.tsx', '#web/features/admin-search/search-button.tsx'],
  ['web/site/pages.ts', '../pages/admin-dashboard.tsx'],
  ['web/site/public-app.tsx', './admin-strip.tsx'],
  ['server/app.ts', '#web/app/paths.ts'],
  ['server/features/payments/settlement/settle-payment.ts', '#server/sandbox/stripe/sandbox.ts'],
  ['server/features/payments/settlement/settle-payment.ts', '#testing/app.ts'],
  ['packages/postgres/database.ts', '#server/features/payments/settle-payment.ts'],
  ['server/platform/http/errors.ts', '#server/platform/postgres/embedded-postgres.ts'],
  ['packages/postgres/database.ts', '../http/errors.ts'],
  ['server/platform/queue/work-queue.ts', '#server/platform/database/database.ts'],
  ['server/platform/attic/box.ts', './other-box.ts'],
  ['server/platform/lane.ts', '#server/platform/work/lane.ts'],
  ['server/features/payments/settlement/settle-payment.ts', '#server/platform/postgres/launch.ts'],
  ['packages/data-service/rest/serve.ts', '#server/platform/backup/take-backup.ts'],
  ['packages/stripe-sandbox/pages/assets.ts', '../../../../web/lib/call-api.ts'],
  ['server/features/invoices/document/render-invoice-page.ts', '#web/app/paths.ts'],
  ['packages/data-service/rest/serve.ts', '#web/styles/tokens.css'],
  ['web/features/booking/steps/one.tsx', '../../payment/pay.tsx'],
  ['web/site/layout/footer.tsx', '#domain/standard-shop.ts'],
  ['emails/invoices/invoice.ts', '#domain/standard-shop.ts'],
])('%s must not import %s', (path, specifier) => {
  expect(violationsOf(path, specifier)).toHaveLength(1)
})

test.each([
  ['domain/money/money.ts', './result.ts'],
  ['domain/money/money.test.ts', 'fast-check'],
  ['emails/bookings/calendar-file.test.ts', '#domain/standard-shop.ts'],
  ['contracts/api/errors.ts', 'zod/mini'],
  ['supabase/functions/send-quote-email/handler.ts', '#letters/quote-reply.ts'],
  ['web/features/booking/wizard.tsx', '#web/features/booking/steps/step-one.tsx'],
  ['web/features/booking/wizard.tsx', '#web/app/paths.ts'],
  ['web/site/pages/book-appointment.tsx', '#web/features/booking/wizard.tsx'],
  ['web/dashboard/dashboard-views.tsx', '#web/features/admin-today/today-view.tsx'],
  ['web/dashboard/entry.tsx', './app/admin-app.tsx'],
  ['server/app.ts', '#server/sandbox/stripe/sandbox.ts'],
  ['server/features/payments/settlement/settle-payment.test.ts', '#testing/app.ts'],
  ['packages/stripe-sandbox/pages/assets.ts', '#web/styles/tokens.css'],
  ['packages/stripe-sandbox/pages/assets.ts', '#web/ui/button.css'],
  ['server/features/invoices/document/render-invoice-page.ts', '#web/styles/tokens.css'],
  ['packages/postgres/outage.ts', './database.ts'],
  ['server/platform/storage/take-backup.ts', '#server/platform/database/migrations.ts'],
  ['server/platform/health/watch-health.test.ts', '#server/platform/http/request-log.ts'],
  ['server/features/payments/settlement/settle-payment.ts', '#server/features/emails/queue-email.ts'],
])('%s may import %s', (path, specifier) => {
  expect(violationsOf(path, specifier)).toEqual([])
})
