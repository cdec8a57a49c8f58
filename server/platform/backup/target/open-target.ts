import { fileURLToPath } from 'node:url'
import type { S3Settings } from '#server/platform/backup/backup-settings.ts'
import { openBucketTarget } from './bucket-target.ts'
import { openFolderTarget } from './folder-target.ts'
import type { Target } from './target.ts'

/** Opens the target of a BACKUP_URL: a folder (`file:///…`) or a bucket (`s3://…`). */
export function openTarget(url: string, s3: S3Settings): Target {
  return url.startsWith('s3:')
    ? openBucketTarget(url, s3)
    : openFolderTarget(fileURLToPath(url), url)
}
