import { useState } from 'react'

import { useLive } from '../../api/live.ts'
import { type PageAnswer, useAnswer, useRefreshOnEvents } from '../../api/query.ts'
import { type CallsEndedQuery, CallsLive, CallsNewer } from './operations.generated.ts'
import { type CallsSearch, filterOf, liveFilterOf } from './search.ts'
import { isWhole } from '../../ui/Notice.tsx'

/** So many newer calls are counted. */
const mostNewer = 50

/** How many calls that match have ended since the first page was asked for: `8`, `50 or more`; undefined: none, or not known. */
export function useNewer(
  search: CallsSearch,
  shown: PageAnswer<CallsEndedQuery>,
): string | undefined {
  const [hasEvents, setHasEvents] = useState(false)
  const isFirst = search.after === undefined
  const newer = useAnswer(CallsNewer, { filter: filterOf(search) }, { isOn: isFirst && hasEvents })
  const refresh = useRefreshOnEvents(newer.refresh, 2_000)
  const ask = () => {
    if (!isFirst) return
    if (hasEvents) refresh()
    else setHasEvents(true)
  }
  useLive(CallsLive, { filter: liveFilterOf(search) }, { onEvents: ask, onGap: ask })
  const [after, before] = [newer.answer, shown.answer]
  if (!isFirst || !after || !before || newer.isFormer || shown.isFormer) return undefined
  if (after.arrivedAt < before.arrivedAt) return undefined
  const ids = after.data.recent.edges.map(({ node }) => node.id)
  const first = before.data.recent.edges[0]?.node.id
  const at = first === undefined ? -1 : ids.indexOf(first)
  const count = at < 0 ? ids.length : at
  if (count === 0) return undefined
  const mayBeMore = (at < 0 && count >= mostNewer) || !isWhole(newer, 'recent')
  return mayBeMore ? `${count} or more` : String(count)
}
