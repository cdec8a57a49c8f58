import { expect, test } from 'vitest'
import { findViolations } from './boundaries.ts'

const violationsOf = (path: string, specifier: string) =>
  findViolations([{ path, imports: [specifier] }])

test.each([
  ['domain/money.ts', 'zod/mini'],
  ['domain/money.ts', 'node:fs'],
  ['domain/money.ts', '#contracts/errors.ts'],
  ['contracts/errors.ts', '#server/config.ts'],
  ['letters/invoice.ts', '#server/features/emails/queue-email.ts'],
  ['letters/invoice.ts', 'nodemailer'],
  ['web/features/booking/wizard.tsx', '#server/config.ts'],
  ['web/features/booking/wizard.tsx', '#web/features/payment/pay.tsx'],
  ['web/ui/button.tsx', '#web/features/booking/wizard.tsx'],
  ['web/lib/call-api.ts', '#web/pages/home.tsx'],
  ['web/pages/privacy.tsx', '#web/features/admin-search/search-button.tsx'],
  ['web/app/pages.ts', '../pages/admin-dashboard.tsx'],
  ['web/app/public-app.tsx', './admin-strip.tsx'],
  ['server/app.ts', '#web/app/paths.ts'],
  ['server/features/payments/settle-payment.ts', '#server/sandbox/stripe/sandbox.ts'],
  ['server/features/payments/settle-payment.ts', '#testing/app.ts'],
  ['server/platform/database/database.ts', '#server/features/payments/settle-payment.ts'],
  ['server/platform/http/errors.ts', '#server/platform/postgres/embedded-postgres.ts'],
  ['server/platform/database/database.ts', '../http/errors.ts'],
  ['server/platform/work/lane.ts', '#server/platform/database/database.ts'],
  ['server/platform/attic/box.ts', './other-box.ts'],
  ['server/platform/lane.ts', '#server/platform/work/lane.ts'],
  ['server/features/payments/settle-payment.ts', '#server/platform/postgres/launch.ts'],
  ['server/data-service/rest/serve.ts', '#server/platform/backup/take-backup.ts'],
  ['server/sandbox/stripe/pages/assets.ts', '../../../../web/lib/call-api.ts'],
  ['server/features/invoices/render-invoice-page.ts', '#web/app/paths.ts'],
  ['server/data-service/rest/serve.ts', '#web/styles/tokens.css'],
  ['web/features/booking/steps/one.tsx', '../../payment/pay.tsx'],
  ['web/app/footer.tsx', '#domain/standard-shop.ts'],
  ['letters/invoice.ts', '#domain/standard-shop.ts'],
])('%s must not import %s', (path, specifier) => {
  expect(violationsOf(path, specifier)).toHaveLength(1)
})

test.each([
  ['domain/money.ts', './result.ts'],
  ['domain/money.test.ts', 'fast-check'],
  ['letters/calendar-file.test.ts', '#domain/standard-shop.ts'],
  ['contracts/errors.ts', 'zod/mini'],
  ['supabase/functions/send-quote-email/handler.ts', '#letters/quote-reply.ts'],
  ['web/features/booking/wizard.tsx', '#web/features/booking/steps/step-one.tsx'],
  ['web/features/booking/wizard.tsx', '#web/app/paths.ts'],
  ['web/pages/book-appointment.tsx', '#web/features/booking/wizard.tsx'],
  ['web/pages/linked-view.tsx', '#web/features/admin-today/today-view.tsx'],
  ['web/entry-admin.tsx', './app/admin-app.tsx'],
  ['server/app.ts', '#server/sandbox/stripe/sandbox.ts'],
  ['server/features/payments/settle-payment.test.ts', '#testing/app.ts'],
  ['server/sandbox/stripe/pages/assets.ts', '#web/styles/tokens.css'],
  ['server/sandbox/stripe/pages/assets.ts', '#web/ui/button.css'],
  ['server/features/invoices/render-invoice-page.ts', '#web/styles/tokens.css'],
  ['server/platform/database/outage.ts', './database.ts'],
  ['server/platform/backup/take-backup.ts', '#server/platform/database/migrations.ts'],
  ['server/platform/health/watch-health.test.ts', '#server/platform/http/request-log.ts'],
  ['server/features/payments/settle-payment.ts', '#server/features/emails/queue-email.ts'],
])('%s may import %s', (path, specifier) => {
  expect(violationsOf(path, specifier)).toEqual([])
})
