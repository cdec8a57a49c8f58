import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toast } from '#web/ui/toast/toast.ts'
import { listTasks, taskPageSize, type TaskPage } from './tasks-api.ts'

type List = {
  readonly page: TaskPage | undefined
  readonly isFetching: boolean
  readonly onShowMore: () => void
}

export type TaskLists = {
  readonly active: List
  readonly completed: List
  /** The number of all active and completed tasks, including those on further pages; undefined until loaded. */
  readonly total: number | undefined
  readonly isFailed: boolean
  readonly retry: () => void
}

/**
 * One query reads the active and the completed tasks, so that a task whose status changes always appears in exactly one
 * list.
 */
export function useTaskLists(): TaskLists {
  const [limits, setLimits] = useState({ active: taskPageSize, completed: taskPageSize })
  const lists = useQuery({
    queryKey: ['tasks', 'lists', limits],
    queryFn: async () => {
      const [active, completed] = await Promise.all([
        listTasks('active', limits.active),
        listTasks('completed', limits.completed),
      ])
      return { active, completed }
    },
    placeholderData: keepPreviousData,
  })
  const isFailed = lists.isError
  useEffect(() => {
    if (isFailed) {
      toast({ title: 'Error', description: 'Failed to load tasks.', variant: 'destructive' })
    }
  }, [isFailed])
  const list = (kind: 'active' | 'completed'): List => ({
    page: lists.data?.[kind],
    isFetching: lists.isFetching,
    onShowMore: () => setLimits({ ...limits, [kind]: limits[kind] + taskPageSize }),
  })
  return {
    active: list('active'),
    completed: list('completed'),
    total: lists.data && lists.data.active.total + lists.data.completed.total,
    isFailed,
    retry: () => void lists.refetch(),
  }
}
