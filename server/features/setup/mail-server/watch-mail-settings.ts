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
 * The email settings of this process. `stored` is the mail server that an owner entered in the dashboard, even if
 * the environment variables name another mail server.
 */
export type MailSettings = SealedSetting<MailServer> & {
  /**
   * The email settings that apply: those of the environment variables, which take precedence, otherwise those that an
   * owner entered in the dashboard.
   */
  readonly current: () => Config['mail']
}

type Options = SealedSettingSource & { readonly config: Pick<Config, 'mail'> }

export const isMailSetByEnvironment = ({ smtpUrl, resendApiKey }: Config['mail']): boolean =>
  smtpUrl !== undefined || resendApiKey !== undefined

/** Updates the email settings of this process whenever they change. Resolves after the first read. */
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
