import type { Config } from '#server/config.ts'
import {
  type SealedSetting,
  type SealedSettingSource,
  type StoredSetting,
  watchSealedSetting,
} from '#server/platform/secrets/sealed-setting.ts'
import { type MailServer, parseMailServer, toSmtpUrl } from './mail-server.ts'

export type StoredMailServer = StoredSetting<MailServer>

/**
 * The means by which this process sends emails now. `stored` is the mail server that an owner entered in the dashboard,
 * even while the environment names another mail server.
 */
export type MailSettings = SealedSetting<MailServer> & {
  /**
   * The settings that apply: the settings in the environment, which take precedence, otherwise the settings that an
   * owner entered in the dashboard.
   */
  readonly current: () => Config['mail']
}

type Options = SealedSettingSource & { readonly config: Pick<Config, 'mail'> }

export const isMailSetByEnvironment = ({ smtpUrl, resendApiKey }: Config['mail']): boolean =>
  smtpUrl !== undefined || resendApiKey !== undefined

/** Keeps the mail settings of this process up to date. Resolves after the first read. */
export async function watchMailSettings({
  config,
  ...options
}: Options): Promise<MailSettings & { stop(): void }> {
  const setting = await watchSealedSetting({ ...options, name: 'email', parse: parseMailServer })
  return { ...setting, current: () => chooseMail(config.mail, setting.stored()?.value) }
}

function chooseMail(environment: Config['mail'], server: MailServer | undefined): Config['mail'] {
  if (isMailSetByEnvironment(environment) || !server) return environment
  const from = environment.from ?? (server.from || undefined)
  return { ...environment, smtpUrl: toSmtpUrl(server), from, owner: environment.owner ?? from }
}
