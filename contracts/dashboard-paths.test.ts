import { expect, test } from 'vitest'
import { isDashboardPath } from './dashboard-paths.ts'

test.each([
  '/admin-dashboard',
  '/admin-dashboard/today',
  '/admin-dashboard/day',
  '/admin-dashboard/day/2026-11-24',
  '/admin-dashboard/appointments',
  '/admin-dashboard/estimates/00000000-0000-4000-8000-000000000000',
  '/admin-dashboard/invoices/in_1QxB7c',
  '/admin-dashboard/settings',
  '/admin-dashboard/settings/hours',
  '/admin-dashboard/receipts/00000000-0000-4000-8000-000000000000',
  '/admin-dashboard/profile',
])('the path %s belongs to a view of the dashboard', (path) => {
  expect(isDashboardPath(path)).toBe(true)
})

test.each([
  '/',
  '/admin-dashboard-old',
  '/admin-dashboard/',
  '/admin-dashboard/nothing',
  '/admin-dashboard/day/tomorrow',
  '/admin-dashboard/customers',
  '/admin-dashboard/customers/1/2',
  '/admin-dashboard/settings/nothing',
])('the path %s belongs to no view of the dashboard', (path) => {
  expect(isDashboardPath(path)).toBe(false)
})
