import type { Database } from '#contracts/database.ts'

type Tables = Database['public']['Tables']

/**
 * Returns the allowed values of a text column in the schema `public` that a check constraint or a foreign key
 * restricts.
 */
export type Column<
  Table extends keyof Tables,
  Name extends keyof Tables[Table]['Row'],
> = Tables[Table]['Row'][Name]
