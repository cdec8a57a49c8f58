import { expect, test } from 'vitest'
import { findViolations } from './boundaries.ts'

const violationsOf = (path: string, specifier: string) =>
  findViolations([{ path, imports: [specifier] }])

test.each([
  ['domain/money/money.ts', 'zod/mini'],
  ['domain/money/money.ts', 'node:fs'],
  ['domain/money/money.ts', '#contracts/api/errors.ts'],
  ['contracts/api/errors.ts', '#server/config.ts'],
  ['emails/invoices/invoice.ts', '#server/features/emails/outbox/queue-email.ts'],
  ['emails/invoices/invoice.ts', 'nodemailer'],
  ['emails/invoices/invoice.ts', '#domain/shop/default-shop.ts'],
  ['web/site/features/booking/booking-wizard.tsx', '#server/config.ts'],
  ['web/site/features/booking/booking-wizard.tsx', '#web/site/features/payment/pay-invoice.tsx'],
  ['web/site/features/booking/time/choose-time.tsx', '../../payment/pay-invoice.tsx'],
  ['web/site/pages/privacy.tsx', '#web/dashboard/features/search/search-button.tsx'],
  ['web/site/pages.ts', '../dashboard/admin-dashboard.tsx'],
  ['web/site/layout/footer.tsx', '#domain/shop/default-shop.ts'],
  ['web/dashboard/features/day/day-view.tsx', '#web/dashboard/features/search/search-button.tsx'],
  ['web/dashboard/kit/records/record-links.ts', '#web/dashboard/features/day/day-view.tsx'],
  ['web/dashboard/admin-app.tsx', '#web/site/router.tsx'],
  ['web/ui/button/button.tsx', '#web/site/features/booking/booking-wizard.tsx'],
  ['web/lib/data/call-api.ts', '#web/site/pages/home.tsx'],
  ['server/app.ts', '#web/lib/paths.ts'],
  ['server/features/payments/call-stripe.ts', '#tests/support/app/app.ts'],
  ['server/features/payments/call-stripe.ts', '#web/lib/paths.ts'],
  ['server/platform/database/migrations.ts', '#server/features/payments/call-stripe.ts'],
  ['server/platform/database/migrations.ts', '../http/errors.ts'],
  ['server/platform/queue/work-queue.ts', '#server/platform/database/migrations.ts'],
  ['server/platform/attic/box.ts', './other-box.ts'],
  ['server/platform/work-queue.ts', '#server/platform/queue/work-queue.ts'],
  ['packages/postgres/database.ts', '../../domain/result.ts'],
  ['packages/postgres/database.ts', '@local/embedded-postgres'],
  ['packages/postgres/outage.test.ts', '../../tests/support/database/database.ts'],
  ['domain/money/money.ts', '@local/postgres'],
  ['web/lib/data/call-api.ts', '@local/data-service'],
  ['packages/data-service/rest/serve.ts', '#server/platform/storage/take-backup.ts'],
  ['packages/data-service/rest/serve.ts', '@local/stripe-sandbox'],
  ['packages/stripe-sandbox/pages/assets.ts', '../../../web/styles/tokens.css'],
  ['web/dashboard/features/vehicles/vehicle-page.tsx', '#web/lib/data/version-conflict.ts'],
  ['web/dashboard/kit/customers/vehicle-dialog.tsx', '../forms/version-conflict-notice.tsx'],
])('%s must not import %s', (path, specifier) => {
  expect(violationsOf(path, specifier)).toHaveLength(1)
})

test.each([
  ['domain/money/money.ts', '../result.ts'],
  ['domain/money/money.test.ts', 'fast-check'],
  ['contracts/api/errors.ts', 'zod/mini'],
  ['emails/layout/calendar-file.test.ts', '#domain/shop/default-shop.ts'],
  ['supabase/functions/send-quote-email/handler.ts', '#emails/quotes/quote-reply.ts'],
  ['web/site/features/booking/booking-wizard.tsx', './time/choose-time.tsx'],
  ['web/site/features/booking/booking-wizard.tsx', '#web/lib/paths.ts'],
  ['web/site/pages/book-appointment.tsx', '#web/site/features/booking/booking-wizard.tsx'],
  ['web/dashboard/dashboard-views.tsx', './features/today/today-view.tsx'],
  ['web/dashboard/features/day/day-view.tsx', '#web/dashboard/kit/records/record-links.ts'],
  ['web/customer-pages/server-page-frame.tsx', '#web/site/layout/footer.tsx'],
  ['server/app.ts', '@local/stripe-sandbox'],
  ['server/features/payments/call-stripe.test.ts', '#tests/support/app/app.ts'],
  ['server/features/payments/call-stripe.ts', '#server/features/emails/outbox/queue-email.ts'],
  ['server/platform/storage/take-backup.ts', '#server/platform/database/migrations.ts'],
  ['server/platform/health/watch-health.test.ts', '#server/platform/http/request-log.ts'],
  ['packages/data-service/rest/serve.ts', '@local/postgres'],
  ['packages/embedded-postgres/lock.ts', '@local/postgres'],
  ['server/app.ts', '@local/data-service'],
  ['web/dashboard/kit/forms/versioned-form.ts', '#web/lib/data/version-conflict.ts'],
  ['web/dashboard/kit/customers/save-failure.tsx', '../forms/version-conflict-notice.tsx'],
])('%s may import %s', (path, specifier) => {
  expect(violationsOf(path, specifier)).toEqual([])
})
