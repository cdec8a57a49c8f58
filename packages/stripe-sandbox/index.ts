export type { Account, Branding, CurrentAccount } from './account.ts'
export { createStripeSandbox, type StripeSandbox, type StripeSandboxOptions } from './sandbox.ts'
