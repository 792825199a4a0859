import { useLive } from './live.ts'
import { Changes, type ChangesSubscriptionVariables } from './operations.generated.ts'
import { useRefreshOnEvents } from './query.ts'

/** The topics of a page. */
type Topics = ChangesSubscriptionVariables['topics']

/**
 * Asks again soon after things of these topics have changed, at most once in `everyMs`: the one subscription of a page that
 * shows what the gateway has now.
 */
export function useChanges(topics: Topics, refresh: () => void, everyMs?: number): void {
  const soon = useRefreshOnEvents(refresh, everyMs)
  useLive(Changes, { topics }, { onEvents: soon, onGap: soon })
}
