import * as z from 'zod/mini'

const megabytes = z.coerce.number().check(z.int(), z.minimum(100), z.maximum(1_000_000))

/** The settings of the continuous backup, which the server process reads from its environment. */
export const backupSettings = {
  BACKUP_URL: z.optional(
    z.url({
      protocol: /^(file|s3)$/,
      error: 'must be a URL like file:///mnt/backup or s3://bucket',
    }),
  ),
  BACKUP_S3_ENDPOINT: z.optional(
    z.url({ protocol: /^https?$/, error: 'must be a URL like https://s3.us-west-2.example' }),
  ),
  BACKUP_S3_REGION: z._default(z.string(), 'us-east-1'),
  BACKUP_S3_PATH_STYLE: z._default(z.enum(['yes', 'no']), 'no'),
  AWS_ACCESS_KEY_ID: z.optional(z.string()),
  AWS_SECRET_ACCESS_KEY: z.optional(z.string()),
  AWS_SESSION_TOKEN: z.optional(z.string()),
  BACKUP_KEEP_DAYS: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(3650)), 30),
  BACKUP_SPOOL_MB: z._default(megabytes, 2000),
  BACKUP_DRILL_AT: z._default(
    z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 03:10')),
    '03:10',
  ),
}

const schema = z.object(backupSettings)
type Values = z.infer<typeof schema>

/** The credentials, region and service URL of an S3-compatible bucket; required only when the target is `s3://…`. */
export type S3Settings = {
  /** The URL of the S3-compatible service; undefined for Amazon S3 itself. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Whether the bucket's name is in the path of the request URL instead of in its host name. */
  readonly isPathStyle: boolean
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly sessionToken: string | undefined
}

export type BackupSettings = {
  /** The target of the backup: `file:///folder` or `s3://bucket/prefix`. */
  readonly url: string
  readonly keepDays: number
  readonly spoolMegabytes: number
  /** The time of the nightly restore drill (a test that restores the backup) in the shop's time zone, 'HH:mm'. */
  readonly drillAt: string
}

export function toBackupSettings(values: Values): BackupSettings | undefined {
  if (values.BACKUP_URL === undefined) return undefined
  return {
    url: values.BACKUP_URL.replace(/\/+$/, ''),
    keepDays: values.BACKUP_KEEP_DAYS,
    spoolMegabytes: values.BACKUP_SPOOL_MB,
    drillAt: values.BACKUP_DRILL_AT,
  }
}

export function toS3Settings(values: Values): S3Settings {
  return {
    endpoint: values.BACKUP_S3_ENDPOINT?.replace(/\/+$/, ''),
    region: values.BACKUP_S3_REGION,
    isPathStyle: values.BACKUP_S3_PATH_STYLE === 'yes',
    accessKeyId: values.AWS_ACCESS_KEY_ID,
    secretAccessKey: values.AWS_SECRET_ACCESS_KEY,
    sessionToken: values.AWS_SESSION_TOKEN,
  }
}

/** Returns one sentence for each pair of settings that contradict each other. */
export function backupContradictions(values: Values): string[] {
  if (values.BACKUP_URL !== undefined && hasPassword(values.BACKUP_URL)) {
    return [
      'BACKUP_URL: must have no key or password; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead',
    ]
  }
  if (values.BACKUP_URL !== undefined && hasRemark(values.BACKUP_URL)) {
    return ['BACKUP_URL: must have no space, ? or #; a comment needs a line of its own']
  }
  const isBucket = values.BACKUP_URL?.startsWith('s3:')
  if (!isBucket)
    return values.BACKUP_URL?.startsWith('file:') ? folderProblems(values.BACKUP_URL) : []
  return (['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const)
    .filter((name) => values[name] === undefined)
    .map((name) => `${name}: is needed for a BACKUP_URL of a bucket`)
}

/** Whether a URL contains credentials before its host name; logs and pages would reveal them. */
export const hasPassword = (url: string): boolean => /^\w+:\/\/[^/]*@/.test(url)

/**
 * Whether a URL contains a space, a question mark or a number sign, which no backup target contains. Such a URL
 * probably includes a comment: when systemd or a container runtime reads the settings file, a comment after a value
 * becomes part of the value. The backup would then use another folder than the owner intended.
 */
export const hasRemark = (url: string): boolean => /[\s?#]/.test(url)

/** Reports a folder URL with a host name: `file://mnt/backup` would mean the folder `/backup` of the machine `mnt`. */
function folderProblems(url: string): string[] {
  return /^file:\/\/\/[^/]/.test(url)
    ? []
    : ['BACKUP_URL: must have three slashes for a folder, like file:///mnt/backup']
}
