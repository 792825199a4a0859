import { QueryCache, QueryClient, keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'

import { type Answer, run } from './client.ts'
import { ApiError, toApiError } from './errors.ts'
import type { Operation } from './operation.ts'
import { lock } from './session.ts'

/** The answers of the page. An answer stays under an error, and is never thrown away while its page is shown. */
export const answers = new QueryClient({
  queryCache: new QueryCache({ onError: noteError }),
  defaultOptions: {
    queries: { retry: false, staleTime: 0, gcTime: 60_000, refetchOnWindowFocus: true },
  },
})

/** An error of any request may say that the session has ended. */
export function noteError(error: unknown): void {
  if (error instanceof ApiError && error.kind === 'signed-out') lock()
}

/** What a page knows of its operation. */
export interface PageAnswer<Data> {
  /** The last answer, also one of before an error. Undefined: there was none yet. */
  readonly answer: Answer<Data> | undefined
  readonly data: Data | undefined
  /** Why the last request has no answer. */
  readonly error: ApiError | undefined
  /** When the last answer came, in milliseconds of the clock. */
  readonly answeredAt: number
  /** No answer and no error yet. */
  readonly isLoading: boolean
  /** The answer is of former variables; the answer of the present variables is under way. */
  readonly isFormer: boolean
  readonly refresh: () => void
}

/** Options of `useAnswer`. */
export interface AnswerOptions {
  /** How often it is asked again while the page is visible, in milliseconds. Absent: never by itself. */
  readonly every?: number
  /** False: it is not asked yet. */
  readonly isOn?: boolean
}

/** Asks an operation, and keeps its answer. A page asks one. */
export function useAnswer<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { every, isOn = true }: AnswerOptions = {},
): PageAnswer<Data> {
  const queryKey = [operation.name, variables]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => run(operation, variables, { signal }),
    placeholderData: keepPreviousData,
    enabled: isOn,
    ...(every !== undefined && { refetchInterval: every }),
  })
  return pageAnswerOf(query, useRefresh(queryKey, query.refetch))
}

/** Asks a query again. While its first request is under way, it is asked again after that: its answer may be too old. */
export function useRefresh(
  queryKey: readonly unknown[],
  refetch: () => Promise<unknown>,
): () => void {
  const key = JSON.stringify(queryKey)
  return useCallback(() => {
    const state = answers.getQueryState(JSON.parse(key) as readonly unknown[])
    const isFirst = state?.fetchStatus === 'fetching' && state.data === undefined
    void refetch().then(() => (isFirst ? refetch() : undefined))
  }, [key, refetch])
}

/** What a page knows, of a query of the cache. */
export function pageAnswerOf<Data>(
  query: {
    readonly data: Answer<Data> | undefined
    readonly error: Error | null
    readonly dataUpdatedAt: number
    readonly isPlaceholderData: boolean
  },
  refresh: () => void,
): PageAnswer<Data> {
  return {
    answer: query.data,
    data: query.data?.data,
    error: query.error ? toApiError(query.error) : undefined,
    answeredAt: query.dataUpdatedAt,
    isLoading: query.data === undefined && !query.error,
    isFormer: query.isPlaceholderData,
    refresh,
  }
}

/** Asks again soon after events, at most once in `everyMs`. */
export function useRefreshOnEvents(refresh: () => void, everyMs = 1_000): () => void {
  const latest = useRef(refresh)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastAt = useRef(-Infinity)
  useEffect(() => {
    latest.current = refresh
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    if (timer.current !== undefined) return
    const waitMs = Math.max(0, lastAt.current + everyMs - performance.now())
    timer.current = setTimeout(() => {
      timer.current = undefined
      lastAt.current = performance.now()
      latest.current()
    }, waitMs)
  }, [everyMs])
}
