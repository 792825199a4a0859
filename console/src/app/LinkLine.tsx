import { link } from '../api/live.ts'
import { useStore } from '../api/store.ts'
import { clock } from '../format/time.ts'
import { State, type StateLook } from '../ui/State.tsx'

const looks: Readonly<Record<'connecting' | 'live' | 'away', StateLook>> = {
  live: { word: 'Live', shape: 'dot', tone: 'ok' },
  connecting: { word: 'Connecting', shape: 'quarter', tone: 'warn' },
  away: { word: 'Not live', shape: 'broken', tone: 'bad' },
}

/** Whether the page follows the gateway. A page that follows nothing says nothing. */
export function LinkLine() {
  const { state, since, reason } = useStore(link)
  if (state === 'none') return null
  return (
    <div className="link-line" role="status" title={reason}>
      <State look={looks[state]}>{state === 'away' && `since ${clock(since)}`}</State>
      {state === 'away' && <p className="secondary wide">{reason}</p>}
    </div>
  )
}
