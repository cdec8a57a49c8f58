import { codeAppEndpoints } from '#contracts/code-app.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'

export const codeAppKey = ['code-app']

/** Whether the signed-in team member has set up an authenticator app, and how many recovery codes are left. */
export const readCodeApp = async () => orThrow(await callAsAdmin(codeAppEndpoints.read))

export const startCodeApp = () => callAsAdmin(codeAppEndpoints.start)

export const confirmCodeApp = (code: string) => callAsAdmin(codeAppEndpoints.confirm, { code })

export const renewRecoveryCodes = () => callAsAdmin(codeAppEndpoints.renewRecoveryCodes)

export const switchCodeAppOff = () => callAsAdmin(codeAppEndpoints.switchOff)
