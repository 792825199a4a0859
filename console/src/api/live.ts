import { useEffect, useEffectEvent } from 'react'

import { requestBody } from './client.ts'
import { ApiError } from './errors.ts'
import { eventsOf } from './event-stream.ts'
import type { Operation } from './operation.ts'
import { pause } from './pause.ts'
import { noteError } from './query.ts'
import { failureOf, send } from './request.ts'
import { createStore } from './store.ts'

/** Whether the page follows the gateway. `none`: it follows nothing. `since`: by the clock of the page. */
export interface LinkState {
  readonly state: 'none' | 'connecting' | 'live' | 'away'
  readonly since: number
  /** Why it does not. */
  readonly reason?: string
}

/** The state of the page's one subscription. */
export const link = createStore<LinkState>({ state: 'none', since: Date.now() })

/** How long events are gathered before they are shown, in milliseconds. */
const gatherMs = 250
/** How long a hidden page still follows, in milliseconds. */
const hiddenMs = 60_000
/** A stream that is silent for longer is dead: the gateway sends a sign of life before. */
const silentMs = 45_000
const longestWaitMs = 15_000

/** What a page does with events. */
export interface LiveHandler<Event> {
  /** The events of a quarter of a second, in their order. */
  readonly onEvents: (events: readonly Event[]) => void
  /** Events may have been missed: what the page shows is to be asked for again. */
  readonly onGap: () => void
}

interface LiveData {
  readonly live: { readonly __typename?: string }
}

/** Follows a subscription while the page is shown: one for a page. A hidden page stops after a minute, and catches up. */
export function useLive<Data extends LiveData, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { onEvents, onGap }: LiveHandler<Data['live']>,
  isOn = true,
): void {
  const show = useEffectEvent(onEvents)
  const catchUp = useEffectEvent(onGap)
  const key = JSON.stringify(variables)
  useEffect(() => {
    if (!isOn) return
    const stop = follow(operation, JSON.parse(key) as Variables, {
      onEvents: (events) => show(events),
      onGap: () => catchUp(),
    })
    return stop
  }, [operation, key, isOn])
}

/** Follows a subscription until the returned function is called. */
function follow<Data extends LiveData, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { onEvents, onGap }: LiveHandler<Data['live']>,
): () => void {
  const end = new AbortController()
  let connection: AbortController | undefined
  let gathered: Data['live'][] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let isFirst = true

  function flush() {
    gathering = undefined
    const events = gathered
    gathered = []
    const shown = events.filter(({ __typename }) => __typename !== 'Missed')
    if (shown.length > 0) onEvents(shown)
    if (shown.length < events.length) onGap()
  }

  async function connect(signal: AbortSignal): Promise<void> {
    const body = requestBody(operation, variables)
    const response = await send('graphql', { body, accept: 'text/event-stream', signal })
    if (!response.ok || !response.body) throw await failureOf(response)
    link.set({ state: 'live', since: Date.now() })
    isFirst = false
    // The page asked before the gateway followed: what changed between is in neither.
    onGap()
    for await (const text of eventsOf(response.body, silentMs)) {
      if (text === '') continue
      const { data, errors } = JSON.parse(text) as {
        data?: Data | null
        errors?: readonly { message: string }[]
      }
      if (errors?.[0]) throw new ApiError('away', errors[0].message)
      if (!data) continue
      gathered.push(data.live)
      gathering ??= setTimeout(flush, gatherMs)
    }
  }

  async function keepOn(): Promise<void> {
    let waitMs = 500
    while (!end.signal.aborted) {
      if (document.hidden && connection === undefined && !isFirst) await visible(end.signal)
      if (end.signal.aborted) return
      connection = new AbortController()
      const { signal } = connection
      let reason = 'The stream has ended.'
      const before = link.get()
      if (before.state !== 'away') link.set({ state: 'connecting', since: Date.now() })
      const beganAt = performance.now()
      try {
        await connect(signal)
      } catch (error) {
        noteError(error)
        if (error instanceof ApiError) {
          reason = error.message
          if (error.kind === 'signed-out') return
          waitMs = Math.max(waitMs, error.retryAfterMs)
        }
      }
      connection = undefined
      if (end.signal.aborted) return
      const wasLive = link.get().state === 'live'
      const since = wasLive || before.state !== 'away' ? Date.now() : before.since
      link.set({ state: 'away', since, reason })
      if (performance.now() - beganAt > 10_000) waitMs = 500
      if (!signal.aborted) await pause(waitMs * (0.75 + Math.random() / 2), end.signal)
      waitMs = Math.min(longestWaitMs, waitMs * 2)
    }
  }

  function onVisibility() {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(() => connection?.abort(), hiddenMs)
  }

  document.addEventListener('visibilitychange', onVisibility, { signal: end.signal })
  void keepOn()
  return () => {
    end.abort()
    connection?.abort()
    clearTimeout(gathering)
    clearTimeout(hiding)
    link.set({ state: 'none', since: Date.now() })
  }
}

/** Waits until the page is shown. */
async function visible(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = new AbortController()
    const look = () => {
      if (!signal.aborted && document.hidden) return
      done.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', look, { signal: done.signal })
    signal.addEventListener('abort', look, { signal: done.signal })
    look()
  })
}
