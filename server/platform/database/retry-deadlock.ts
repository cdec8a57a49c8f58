import pg from 'pg'

/** Does `work`, a whole transaction, once more when PostgreSQL ended it to let another one through (40P01). */
export async function retryDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '40P01') return work()
    throw error
  }
}
