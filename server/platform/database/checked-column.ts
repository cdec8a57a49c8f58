import type { Database } from '#contracts/database.ts'

type Tables = Database['public']['Tables']

/** The values of a text column of the schema `public` whose check or foreign key allows a few values only. */
export type Column<
  Table extends keyof Tables,
  Name extends keyof Tables[Table]['Row'],
> = Tables[Table]['Row'][Name]
