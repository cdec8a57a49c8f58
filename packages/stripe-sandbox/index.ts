export type { Account, Branding } from './account.ts'
export { createStripeSandbox, type StripeSandbox, type StripeSandboxOptions } from './sandbox.ts'
