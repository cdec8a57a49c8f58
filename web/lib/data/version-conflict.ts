import { versionConflictCode } from '#contracts/database-errors.ts'
import { DataError } from './request-data.ts'

type VersionConflict = DataError & { readonly code: typeof versionConflictCode }

/** Whether the database refused a change because another user has changed the record since this user read it. */
export const isVersionConflict = (error: unknown): error is VersionConflict =>
  error instanceof DataError && error.code === versionConflictCode
