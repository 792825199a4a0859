import { storeAway } from '../api/client.ts'
import { useStore } from '../api/store.ts'
import { Notice } from '../ui/Notice.tsx'

/** Why no act can be done now, on every page: the store is away. */
export function StoreLine() {
  if (!useStore(storeAway)) return null
  return (
    <Notice tone="bad">
      The store does not answer: what is shown may be what was known last, and nothing can be
      changed until it is back.
    </Notice>
  )
}
